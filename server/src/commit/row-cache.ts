// What a lane keeps between groups: the rows, accounts and head of each marketplace as of the last group that it sent. A cache is valid
// as long as the hash of its head is: every change adds to the audit chain, every group names the hash it was decided on, and a wrong
// hash fails the group and clears the cache.

import type { Clock } from '../base/instant.ts';
import type { Account } from '../books/accounts.ts';
import type { Amount } from '../books/money.ts';
import type { AnswerRow } from './stored-answers.ts';
import type { Lookup, TableName, TableRegistry, Tables } from './tables.ts';

export type CachedRow = {
  readonly table: TableName;
  readonly marketplaceId: string;
  /** The version in the database once everything that was sent is committed. 0: the row does not exist there. */
  storedVersion: number;
  row: Tables[TableName] | undefined;
};

export type CachedAccount = {
  readonly marketplaceId: string;
  readonly account: Account;
  /** The number of postings in the database once everything that was sent is committed. */
  storedPostings: bigint;
  balance: Amount;
  postings: bigint;
  touchedAt: string | null;
};

type MarketplaceHead = {
  eventPosition: bigint;
  /** Microseconds. */
  eventAt: number;
  auditSeq: bigint;
  auditHash: string;
  /** The hash in the database once everything that was sent is committed. */
  storedHash: string;
};

export type LookupKey = { readonly table: TableName; readonly by: string; readonly value: string };

/** One marketplace's part of a lane's cache. */
export type RowCache = {
  readonly marketplaceId: string;
  readonly tables: TableRegistry;
  readonly head: MarketplaceHead;
  readonly rows: Map<string, CachedRow>;
  /** Lookup to the ids of cached rows that it has ever found. A reader compares the row with the lookup again. */
  readonly lookups: Map<string, Set<string>>;
  /** Lookups that were loaded from the database, so the cached rows are all there are. */
  readonly loadedLookups: Set<string>;
  readonly accounts: Map<string, CachedAccount>;
  /** Ids that commands of this cache have made: see fresh.ts. */
  readonly freshIds: Set<string>;
};

type RowCaches = Map<string, RowCache>;

export const rowKey = (table: TableName, id: string): string => `${table}/${id}`;

export const lookupKey = ({ table, by, value }: LookupKey): string => `${table}.${by}/${value}`;

export const newRowCache = (start: Pick<RowCache, 'marketplaceId' | 'tables' | 'head'>): RowCache => ({
  ...start,
  rows: new Map(),
  lookups: new Map(),
  loadedLookups: new Set(),
  accounts: new Map(),
  freshIds: new Set(),
});

const countEntries = (caches: RowCaches): number => {
  let entries = 0;
  for (const cache of caches.values()) {
    entries += cache.rows.size + cache.lookups.size + cache.loadedLookups.size + cache.accounts.size;
    entries += cache.freshIds.size;
  }
  return entries;
};

const lookupsOf = (cache: RowCache, table: TableName): ReadonlyMap<string, Lookup<Tables[TableName]>> =>
  cache.tables.get(table)!.lookups;

/** Adds the row's id to every lookup that finds the row. Ids are never removed. */
export const indexRow = (cache: RowCache, { row, table }: CachedRow): void => {
  if (!row) return;
  for (const [by, lookup] of lookupsOf(cache, table)) {
    const key = lookupKey({ table, by, value: lookup.value(row) });
    const ids = cache.lookups.get(key);
    if (ids) ids.add(row.id);
    else cache.lookups.set(key, new Set([row.id]));
  }
};

/** The cached rows that a lookup finds. Undefined: the lookup was not loaded. */
export const findInCache = (cache: RowCache, { table, by, value }: LookupKey): CachedRow[] | undefined => {
  const key = lookupKey({ table, by, value });
  if (!cache.loadedLookups.has(key)) return undefined;
  const lookup = lookupsOf(cache, table).get(by)!;
  /** True while the lookup still finds the row. */
  const matches = ({ row }: CachedRow): boolean =>
    row !== undefined && lookup.value(row) === value && (lookup.where?.holds(row) ?? true);
  return [...(cache.lookups.get(key) ?? [])].map((id) => cache.rows.get(rowKey(table, id))!).filter(matches);
};

export type LaneState = {
  readonly tables: TableRegistry;
  readonly caches: RowCaches;
  /** Answers of the last groups, so that a quick repeat is recognised without a query. */
  readonly answers: Map<string, AnswerRow>;
  readonly clock: Clock;
};

/** Cached rows and accounts; an entry is about half a kilobyte. */
const ENTRIES_MAX = 50_000;
const ANSWERS_MAX = 5_000;

export const newLaneState = (tables: TableRegistry, clock: Clock): LaneState => ({
  tables,
  caches: new Map(),
  answers: new Map(),
  clock,
});

/** After a failure the cache may hold what was never committed. */
export const clearCaches = ({ caches, answers }: LaneState): void => {
  caches.clear();
  answers.clear();
};

export const limitCaches = ({ caches, answers }: LaneState): void => {
  if (countEntries(caches) > ENTRIES_MAX) caches.clear();
  if (answers.size > ANSWERS_MAX) answers.clear();
};
