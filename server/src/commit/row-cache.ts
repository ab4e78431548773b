// What a lane remembers of its marketplaces: rows, accounts and heads as of the last group it sent. It is true as long
// as the head of the audit chain is: every change adds to the chain, every group names the hashes it decided on, and a
// wrong one fails the group and empties this memory.

import type { Account } from '../books/accounts.ts';
import type { Amount } from '../books/money.ts';
import { TABLES, type TableName } from './table-columns.ts';
import type { Tables } from './tables.ts';

export type RowCell = {
  readonly table: TableName;
  readonly marketplaceId: string;
  /** As the database has it, or will have it once what was sent is committed; 0: not there. */
  storedVersion: number;
  row: Tables[TableName] | undefined;
};

export type AccountCell = {
  readonly marketplaceId: string;
  readonly account: Account;
  /** As the database has it, or will have it. */
  storedPostings: bigint;
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
  /** As the database has it, or will have it once what was sent is committed. */
  storedHash: string;
};

/** One marketplace's part. */
export type Shelf = {
  readonly marketplaceId: string;
  readonly head: Head;
  readonly rows: Map<string, RowCell>;
  /** Lookup to the ids of remembered rows that it found once; readers check the row again. */
  readonly lookups: Map<string, Set<string>>;
  /** Lookups that the database was asked for, so that what is remembered is all there is. */
  readonly asked: Set<string>;
  readonly accounts: Map<string, AccountCell>;
};

export type Memory = Map<string, Shelf>;

export const rowKey = (table: TableName, id: string): string => `${table}/${id}`;

export const lookupKey = (table: TableName, lookup: { by: string; value: string }): string =>
  `${table}.${lookup.by}/${lookup.value}`;

export const newShelf = (marketplaceId: string, head: Head): Shelf => ({
  marketplaceId,
  head,
  rows: new Map(),
  lookups: new Map(),
  asked: new Set(),
  accounts: new Map(),
});

export const cellsIn = (memory: Memory): number => {
  let cells = 0;
  for (const shelf of memory.values()) {
    cells += shelf.rows.size + shelf.lookups.size + shelf.asked.size + shelf.accounts.size;
  }
  return cells;
};

type AnyLookup = {
  where?: { holds(row: Tables[TableName]): boolean };
  value(row: Tables[TableName]): string;
};

const LOOKUPS = new Map<TableName, [string, AnyLookup][]>(
  (Object.keys(TABLES) as TableName[]).map((table) => [
    table,
    Object.entries(TABLES[table].lookups as Record<string, AnyLookup>),
  ]),
);

const lookupsOf = (table: TableName): [string, AnyLookup][] => LOOKUPS.get(table)!;

/** Adds the row's id to every lookup that finds it. Ids are never taken out. */
export const indexRow = (shelf: Shelf, cell: RowCell): void => {
  const { row, table } = cell;
  if (!row) return;
  for (const [by, lookup] of lookupsOf(table)) {
    const key = lookupKey(table, { by, value: lookup.value(row) });
    const ids = shelf.lookups.get(key);
    if (ids) ids.add(row.id);
    else shelf.lookups.set(key, new Set([row.id]));
  }
};

/** True while the row is still found by the lookup. */
export const matchesLookup = (cell: RowCell, { by, value }: { by: string; value: string }): boolean => {
  const lookup = (TABLES[cell.table].lookups as Record<string, AnyLookup>)[by];
  if (!lookup || !cell.row) return false;
  return lookup.value(cell.row) === value && (lookup.where?.holds(cell.row) ?? true);
};
