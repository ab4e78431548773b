// Everything one group of commands has on its desk: rows, accounts, heads of the marketplaces, and what is to be
// written. Commands change it in turn; a refused one is undone, so the next sees only what will be committed.

import type { Account } from '../domain/account.ts';
import type { Amount } from '../domain/money.ts';
import type { Tables } from '../domain/tables.ts';
import { TABLES, type TableName } from './tables.ts';

export type RowCell = {
  readonly table: TableName;
  readonly marketplaceId: string;
  /** As the database has it; 0: not there. */
  readonly storedVersion: number;
  row: Tables[TableName] | undefined;
  dirty: boolean;
};

export type AccountCell = {
  readonly marketplaceId: string;
  readonly account: Account;
  readonly storedPostings: bigint;
  balance: Amount;
  postings: bigint;
  touchedAt: string | null;
};

export type Head = {
  eventPosition: bigint;
  /** Microseconds. */
  eventAt: number;
  auditSeq: bigint;
  auditHash: string;
};

export type AnswerCell = {
  readonly marketplaceId: string;
  readonly keyHash: Buffer;
  fingerprint: Buffer;
  status: number | null;
  body: string | null;
  expiresAt: string;
  /** False: nothing stored yet, or what is stored has expired. */
  live: boolean;
  dirty: boolean;
};

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

export type AuditRow = {
  readonly marketplaceId: string;
  readonly seq: bigint;
  readonly occurredAt: string;
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: string;
  readonly userId: string | null;
  readonly payloadBefore: string | null;
  readonly payloadAfter: string | null;
  readonly actorType: string;
  readonly actorId: string;
  readonly result: string;
  readonly correlationId: string;
  readonly hash: string;
};

export const rowKey = (marketplaceId: string, table: TableName, id: string): string =>
  `${marketplaceId}/${table}/${id}`;

export const lookupKey = (marketplaceId: string, table: TableName, by: string, value: string): string =>
  `${marketplaceId}/${table}.${by}/${value}`;

export type GroupState = {
  readonly rows: Map<string, RowCell>;
  /** Lookup to the ids it finds, for the lookups that were asked for. */
  readonly lookups: Map<string, Set<string>>;
  readonly accounts: Map<string, AccountCell>;
  readonly heads: Map<string, Head>;
  readonly answers: Map<string, AnswerCell>;
  readonly postings: PostingRow[];
  readonly events: EventRow[];
  readonly audits: AuditRow[];
};

export const emptyState = (): GroupState => ({
  rows: new Map(),
  lookups: new Map(),
  accounts: new Map(),
  heads: new Map(),
  answers: new Map(),
  postings: [],
  events: [],
  audits: [],
});

type AnyLookup = {
  where?: { holds(row: Tables[TableName]): boolean };
  value(row: Tables[TableName]): string;
};

/** Adds the row's id to every asked-for lookup that finds it. Ids are never taken out: readers check the row again. */
export const indexRow = (state: GroupState, cell: RowCell): void => {
  const row = cell.row;
  if (!row) return;
  for (const [by, lookup] of Object.entries(TABLES[cell.table].lookups as Record<string, AnyLookup>)) {
    state.lookups.get(lookupKey(cell.marketplaceId, cell.table, by, lookup.value(row)))?.add(row.id);
  }
};

/** True while the row is still found by the lookup. */
export const matchesLookup = (cell: RowCell, by: string, value: string): boolean => {
  const lookup = (TABLES[cell.table].lookups as Record<string, AnyLookup>)[by];
  if (!lookup || !cell.row) return false;
  return lookup.value(cell.row) === value && (lookup.where?.holds(cell.row) ?? true);
};
