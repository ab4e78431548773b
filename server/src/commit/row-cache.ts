// What a lane keeps between groups: the rows, accounts and head of each marketplace as of the last group that it sent. A cache is valid
// as long as the hash of its head is: every change adds to the audit chain, every group names the hash it was decided on, and a wrong
// hash fails the group and clears the cache.

import type { Clock } from '../base/instant.ts';
import type { Account } from '../books/accounts.ts';
import { type Amount, ZERO } from '../books/money.ts';
import type { Need } from './command.ts';
import type { AnswerRow } from './stored-answers.ts';
import type { Lookup, TableName, TableRegistry, Tables } from './tables.ts';

export type CachedRow = {
  readonly table: TableName;
  readonly marketplaceId: string;
  /** The version in the database once everything that was sent is committed. 0: the row does not exist there. */
  storedVersion: number;
  row: Tables[TableName] | undefined;
  /** The generation of the cache when a command last needed or wrote it: see cache-limit.ts. */
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
  /**
   * Ids that commands of this cache have made, with the generation. Before an id was made, no row could contain it. Since then every row of
   * the marketplace that contains it was written through this cache. So all rows whose key contains the id are here, and no query is needed to
   * know that there are no others. When another process writes in the marketplace, the cache is dropped, and these ids with it.
   */
  readonly freshIds: Map<string, number>;
  generation: number;
};

/** Whether commands have changed the marketplace since the last group that was sent. */
export const isMoved = ({ head }: Pick<RowCache, 'head'>): boolean => head.auditHash !== head.storedHash;

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

export const lookupsOf = (cache: RowCache, table: TableName): ReadonlyMap<string, Lookup<Tables[TableName]>> =>
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

/** Whether the key contains an id that a command of this cache has made. */
const containsFreshId = ({ freshIds }: RowCache, key: string): boolean => {
  if (freshIds.size === 0) return false;
  if (freshIds.has(key)) return true;
  return key.includes(SEPARATOR) && key.split(SEPARATOR).some((part) => freshIds.has(part));
};

/** Whether no query is needed for a row or lookup that is not cached. A row gets an entry that says that it does not exist. */
export const isFreshRow = (cache: RowCache, need: Need): boolean => {
  if (!containsFreshId(cache, 'by' in need ? need.value : need.id)) return false;
  if ('by' in need) return true;
  const { table, id } = need;
  const { marketplaceId, generation: usedIn } = cache;
  cache.rows.set(rowKey(table, id), { table, marketplaceId, storedVersion: 0, row: undefined, usedIn });
  return true;
};

/** Likewise for an account. */
export const isFreshAccount = (cache: RowCache, account: Account): boolean => {
  if (!containsFreshId(cache, account.id)) return false;
  addUnusedAccount(cache, account);
  return true;
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
  /** The number of entries with which a new generation begins: see cache-limit.ts. */
  generationEnds: number;
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
  generationEnds: Number.POSITIVE_INFINITY,
});

/** After a failure the cache may hold what was never committed. */
export const clearCaches = ({ caches, answers }: LaneState): void => {
  caches.clear();
  answers.clear();
};
