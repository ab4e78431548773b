// What a lane keeps between groups: the rows, accounts and head of each marketplace as of the last group that it sent. A cache is valid
// as long as the hash of its head is: every change adds to the audit chain, every group names the hash it was decided on, and a wrong
// hash fails the group and clears the cache.

import type { Clock } from '../base/instant.ts';
import type { Account } from '../books/accounts.ts';
import { type Amount, ZERO } from '../books/money.ts';
import type { AnswerRow } from './stored-answers.ts';
import type { Lookup, TableName, TableRegistry, Tables } from './tables.ts';

export type CachedRow = {
  readonly table: TableName;
  readonly marketplaceId: string;
  /** The version in the database once everything that was sent is committed. 0: the row does not exist there. */
  storedVersion: number;
  row: Tables[TableName] | undefined;
  /** The generation of the cache when a command last needed or wrote it: see `limitCaches`. */
  usedIn: number;
};

export type CachedAccount = {
  readonly marketplaceId: string;
  readonly account: Account;
  /** The number of postings in the database once everything that was sent is committed. */
  storedPostings: bigint;
  balance: Amount;
  postings: bigint;
  touchedAt: string | null;
  /** As of a row. */
  usedIn: number;
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
  /** Lookups that were loaded from the database, so the cached rows are all there are; with the generation of their last use. */
  readonly loadedLookups: Map<string, number>;
  readonly accounts: Map<string, CachedAccount>;
  /** Ids that commands of this cache have made, with the generation: see fresh.ts. */
  readonly freshIds: Map<string, number>;
  generation: number;
};

type RowCaches = Map<string, RowCache>;

export const rowKey = (table: TableName, id: string): string => `${table}/${id}`;

export const lookupKey = ({ table, by, value }: LookupKey): string => `${table}.${by}/${value}`;

export const newRowCache = (start: Pick<RowCache, 'marketplaceId' | 'tables' | 'head'>): RowCache => ({
  ...start,
  rows: new Map(),
  lookups: new Map(),
  loadedLookups: new Map(),
  accounts: new Map(),
  freshIds: new Map(),
  generation: 0,
});

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

/** An account that no posting has used has no row. */
export const addUnusedAccount = (cache: RowCache, account: Account): CachedAccount => {
  const { marketplaceId, generation: usedIn } = cache;
  const unused = { storedPostings: 0n, balance: ZERO, postings: 0n, touchedAt: null };
  const cached: CachedAccount = { marketplaceId, account, ...unused, usedIn };
  cache.accounts.set(account.id, cached);
  return cached;
};

/** Keys that consist of several fields put this character between them. An id never contains it. */
const SEPARATOR = ':';

/** Whether the key contains an id that a command of this cache has made: see fresh.ts. */
export const containsFreshId = ({ freshIds }: RowCache, key: string): boolean => {
  if (freshIds.size === 0) return false;
  if (freshIds.has(key)) return true;
  return key.includes(SEPARATOR) && key.split(SEPARATOR).some((part) => freshIds.has(part));
};

/** The cached rows that a lookup finds. Undefined: the lookup was not loaded. */
export const findInCache = (cache: RowCache, { table, by, value }: LookupKey): CachedRow[] | undefined => {
  const key = lookupKey({ table, by, value });
  if (!cache.loadedLookups.has(key) && !containsFreshId(cache, value)) return undefined;
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
  /** Only where deadlines follow another clock. */
  readonly deadlineClock: Clock | null;
  /** Half of the allowed entries exist, and a new generation has begun. */
  isHalfFull: boolean;
};

export const newLaneState = ({
  tables,
  clock,
  deadlineClock = null,
}: Pick<LaneState, 'tables' | 'clock'> & { readonly deadlineClock?: Clock | null }): LaneState => ({
  tables,
  caches: new Map(),
  answers: new Map(),
  clock,
  deadlineClock,
  isHalfFull: false,
});

/** After a failure the cache may hold what was never committed. */
export const clearCaches = ({ caches, answers }: LaneState): void => {
  caches.clear();
  answers.clear();
};

/** Cached rows and accounts; an entry is about half a kilobyte. */
const ENTRIES_MAX = 50_000;
const ANSWERS_MAX = 5_000;

const countEntries = ({ rows, lookups, loadedLookups, accounts, freshIds }: RowCache): number =>
  rows.size + lookups.size + loadedLookups.size + accounts.size + freshIds.size;

/** A lookup that found the row would no longer find all rows. */
const forgetLookups = (cache: RowCache, { table, row }: CachedRow): void => {
  if (!row) return;
  for (const [by, lookup] of lookupsOf(cache, table)) {
    cache.loadedLookups.delete(lookupKey({ table, by, value: lookup.value(row) }));
  }
};

const forgetUnused = (cache: RowCache): void => {
  const { generation, rows, lookups, loadedLookups, accounts, freshIds } = cache;
  for (const [id, madeIn] of freshIds) if (madeIn < generation) freshIds.delete(id);
  for (const [key, usedIn] of loadedLookups) if (usedIn < generation) loadedLookups.delete(key);
  for (const [id, { usedIn }] of accounts) if (usedIn < generation) accounts.delete(id);
  for (const [key, cached] of rows) {
    if (cached.usedIn >= generation) continue;
    rows.delete(key);
    forgetLookups(cache, cached);
  }
  lookups.clear();
  for (const cached of rows.values()) indexRow(cache, cached);
};

/**
 * Limits the memory of a lane. When half of the allowed entries exist, a new generation begins; when all exist, the entries that no
 * command has used in this generation are forgotten. A row that contains a fresh id was written after the id was made, so the id never
 * stays longer than the row. This may run while groups are in flight: what is forgotten is loaded again only after they have ended.
 */
export const limitCaches = (state: LaneState, entriesMax = ENTRIES_MAX): void => {
  const { caches, answers } = state;
  if (answers.size > ANSWERS_MAX) answers.clear();
  let entries = 0;
  for (const cache of caches.values()) entries += countEntries(cache);
  if (entries > entriesMax / 2 && !state.isHalfFull) {
    state.isHalfFull = true;
    for (const cache of caches.values()) cache.generation += 1;
  }
  if (entries <= entriesMax) return;
  state.isHalfFull = false;
  let left = 0;
  for (const cache of caches.values()) {
    forgetUnused(cache);
    left += countEntries(cache);
  }
  // All of it is in use: it has to be loaded again, or the next command would count and forget once more.
  if (left > (entriesMax * 3) / 4) caches.clear();
};
