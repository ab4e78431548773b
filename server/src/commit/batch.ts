// What one group of commands is about to write. A refused command removes what it added here.

import type { Assumption } from './assumed.ts';
import type { HashedEntry } from './audit-hash.ts';
import type { CachedAccount, CachedRow, RowCache } from './row-cache.ts';
import type { AnswerRow } from './stored-answers.ts';

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

export type Batch = {
  /** The marketplaces that the decisions read, changed or not. */
  readonly caches: Set<RowCache>;
  readonly rows: Set<CachedRow>;
  readonly accounts: Set<CachedAccount>;
  readonly postings: PostingRow[];
  readonly events: EventRow[];
  readonly audits: AuditRow[];
  readonly answers: Map<string, AnswerRow>;
  readonly assumptions: Assumption[];
};

export const newBatch = (): Batch => ({
  caches: new Set(),
  rows: new Set(),
  accounts: new Set(),
  postings: [],
  events: [],
  audits: [],
  answers: new Map(),
  assumptions: [],
});

/**
 * Called when the batch is sent: from now on the caches say what the database will say. If the commit fails, the hashes of the
 * next group do not fit, and the lane clears its caches.
 */
export const markSent = (batch: Batch): void => {
  for (const cached of batch.accounts) cached.storedPostings = cached.postings;
  for (const cached of batch.rows) cached.storedVersion += 1;
  for (const { head } of batch.caches) head.storedHash = head.auditHash;
};
