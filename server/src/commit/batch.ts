// What one group of commands is about to write. A refused command takes back what it put here.

import type { HashedEntry } from './audit-hash.ts';
import type { AccountCell, RowCell, Shelf } from './row-cache.ts';

export type PostingRow = {
  readonly marketplaceId: string;
  readonly accountId: string;
  readonly seq: bigint;
  readonly amount: bigint;
  readonly balanceAfter: bigint;
  readonly counterAccountId: string;
  readonly move: string;
  readonly reference: string | null;
  readonly description: string | null;
  readonly commandId: string;
  readonly auditSeq: bigint;
  /** Microseconds. */
  readonly postedAt: number;
};

export type EventRow = {
  readonly marketplaceId: string;
  readonly position: bigint;
  /** Microseconds. */
  readonly occurredAt: number;
  readonly eventType: string;
  readonly aggregateType: string;
  readonly aggregateId: string;
  readonly envelope: string;
};

export type AuditRow = HashedEntry & { readonly marketplaceId: string; readonly hash: string };

/** The answer to a request with an Idempotency-Key. */
export type AnswerRow = {
  readonly marketplaceId: string;
  readonly keyHash: Buffer;
  readonly fingerprint: Buffer;
  /** Null, like the body, while a longer errand is still under way. */
  readonly status: number | null;
  readonly body: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
};

export type Batch = {
  /** Marketplaces that the decisions looked at, changed or not. */
  readonly shelves: Set<Shelf>;
  readonly rows: Set<RowCell>;
  readonly accounts: Set<AccountCell>;
  readonly postings: PostingRow[];
  readonly events: EventRow[];
  readonly audits: AuditRow[];
  readonly answers: Map<string, AnswerRow>;
};

export const newBatch = (): Batch => ({
  shelves: new Set(),
  rows: new Set(),
  accounts: new Set(),
  postings: [],
  events: [],
  audits: [],
  answers: new Map(),
});

export const answerKey = (marketplaceId: string, keyHash: Buffer): string =>
  `${marketplaceId}/${keyHash.toString('base64')}`;
