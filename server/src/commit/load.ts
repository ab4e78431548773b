// Loads what a group needs and the caches lack: one statement per table and lookup, all sent at once, after the heads of the
// marketplaces were locked.

import type pg from 'pg';
import { parseInstant } from '../base/instant.ts';
import type { Account } from '../books/accounts.ts';
import { fromUnits, ZERO } from '../books/money.ts';
import { texts } from './columnar.ts';
import type { Need, Needs } from './command.ts';
import { isFreshAccount, isFreshRow } from './fresh.ts';
import { indexRow, type LaneState, lookupKey, newRowCache, type RowCache, rowKey } from './row-cache.ts';
import { loadSql, type Table, type TableName, type Tables } from './tables.ts';

const ADD_MARKETPLACES = `insert into marketplaces (marketplace_id) select unnest($1::text[])
  on conflict (marketplace_id) do nothing`;

const LOCK_HEADS = `select marketplace_id, event_position, event_at, audit_seq, audit_hash
  from marketplaces where marketplace_id = any($1) order by marketplace_id for no key update`;

const LOAD_ACCOUNTS = `select a.marketplace_id, a.id, a.balance, a.postings, a.touched_at
  from unnest($1::text[], $2::text[]) k (marketplace_id, id)
  join accounts a on a.marketplace_id = k.marketplace_id and a.id = k.id`;

/** The connection of a lane and what the lane keeps. */
export type LaneSession = { readonly client: pg.Client; readonly state: LaneState };

/**
 * Locks the heads: from now on no other group of these marketplaces runs, in any process, until this one has ended. A cache whose
 * hash is not the hash of the head is replaced by an empty one.
 */
export const lockHeads = async ({ client, state }: LaneSession, marketplaceIds: string[]): Promise<void> => {
  const { caches, tables } = state;
  const values = [texts(marketplaceIds)];
  const added = client.query({ name: 'add-marketplaces', text: ADD_MARKETPLACES, values });
  const locked = client.query({ name: 'lock-heads', text: LOCK_HEADS, values });
  const [, { rows }] = await Promise.all([added, locked]);
  if (rows.length !== marketplaceIds.length) throw new Error('a marketplace has no head');
  for (const row of rows) {
    const marketplaceId = row.marketplace_id;
    if (caches.get(marketplaceId)?.head.storedHash === row.audit_hash) continue;
    const head = {
      eventPosition: row.event_position,
      eventAt: parseInstant(row.event_at) ?? 0,
      auditSeq: row.audit_seq,
      auditHash: row.audit_hash,
      storedHash: row.audit_hash,
    };
    caches.set(marketplaceId, newRowCache({ marketplaceId, tables, head }));
  }
};

/** Marks what is found as used, so that it is not forgotten soon. */
const isRowCached = (cache: RowCache, need: Need): boolean => {
  const { rows, loadedLookups, generation } = cache;
  if ('by' in need) {
    const key = lookupKey(need);
    const usedIn = loadedLookups.get(key);
    if (usedIn === undefined) return isFreshRow(cache, need);
    if (usedIn !== generation) loadedLookups.set(key, generation);
    return true;
  }
  const cached = rows.get(rowKey(need.table, need.id));
  if (!cached) return isFreshRow(cache, need);
  cached.usedIn = generation;
  return true;
};

const isAccountCached = (cache: RowCache, account: Account): boolean => {
  const cached = cache.accounts.get(account.id);
  if (!cached) return isFreshAccount(cache, account);
  cached.usedIn = cache.generation;
  return true;
};

export const isCached = (cache: RowCache, { rows = [], accounts = [] }: Needs): boolean =>
  accounts.every((account) => isAccountCached(cache, account)) && rows.every((need) => isRowCached(cache, need));

/** Rows of one table, all by their ids or all by the same lookup. */
type RowQuery = {
  readonly table: Table;
  readonly by: string | null;
  readonly caches: RowCache[];
  readonly values: string[];
};
type AccountQuery = { readonly cache: RowCache; readonly account: Account };

const loadRows = async ({ client, state }: LaneSession, query: RowQuery): Promise<void> => {
  const { table, by, values } = query;
  // Not prepared: a plan that was made while the table was empty cannot tell its indexes apart, and would stay.
  const { rows } = await client.query({
    text: loadSql(table, by),
    values: [texts(query.caches.map((cache) => cache.marketplaceId)), texts(values)],
  });
  for (const { marketplaceId, version, ...row } of rows) {
    const cache = state.caches.get(marketplaceId)!;
    const key = rowKey(table.name, row.id);
    // Another lookup has loaded the row already, or an earlier command has put it: the cached row is newer.
    if (cache.rows.get(key)?.row) continue;
    const cached = {
      table: table.name,
      marketplaceId,
      storedVersion: version,
      row: row as Tables[TableName],
      usedIn: cache.generation,
    };
    cache.rows.set(key, cached);
    indexRow(cache, cached);
  }
};

const loadAccounts = async (client: pg.Client, queries: readonly AccountQuery[]): Promise<void> => {
  const { rows } = await client.query({
    name: 'load-accounts',
    text: LOAD_ACCOUNTS,
    values: [texts(queries.map(({ cache }) => cache.marketplaceId)), texts(queries.map(({ account }) => account.id))],
  });
  const found = new Map(rows.map((row) => [`${row.marketplace_id}/${row.id}`, row]));
  for (const { cache, account } of queries) {
    const { marketplaceId } = cache;
    const row = found.get(`${marketplaceId}/${account.id}`);
    cache.accounts.set(account.id, {
      marketplaceId,
      account,
      storedPostings: row?.postings ?? 0n,
      balance: row ? fromUnits(row.balance) : ZERO,
      postings: row?.postings ?? 0n,
      touchedAt: row?.touched_at ?? null,
      usedIn: cache.generation,
    });
  }
};

/** Marks the row or lookup as loaded and adds it to the query of its kind. */
const addToQuery = (queries: Map<string, RowQuery>, { cache, need }: { cache: RowCache; need: Need }): void => {
  const by = 'by' in need ? need.by : null;
  const value = 'by' in need ? need.value : need.id;
  if ('by' in need) cache.loadedLookups.set(lookupKey(need), cache.generation);
  else {
    const { table, id } = need;
    const { marketplaceId, generation: usedIn } = cache;
    cache.rows.set(rowKey(table, id), { table, marketplaceId, storedVersion: 0, row: undefined, usedIn });
  }
  const name = `${need.table}.${by}`;
  const query = queries.get(name) ?? { table: cache.tables.get(need.table)!, by, caches: [], values: [] };
  query.caches.push(cache);
  query.values.push(value);
  queries.set(name, query);
};

/** Loads everything that is needed and not cached yet. */
export const load = async (
  session: LaneSession,
  wanted: readonly { marketplaceId: string; needs: Needs }[],
): Promise<void> => {
  const rows = new Map<string, RowQuery>();
  const accounts = new Map<string, AccountQuery>();
  for (const { marketplaceId, needs } of wanted) {
    const cache = session.state.caches.get(marketplaceId)!;
    for (const account of needs.accounts ?? []) {
      if (!isAccountCached(cache, account)) accounts.set(`${marketplaceId}/${account.id}`, { cache, account });
    }
    for (const need of needs.rows ?? []) if (!isRowCached(cache, need)) addToQuery(rows, { cache, need });
  }
  const sent = [...rows.values()].map((query) => loadRows(session, query));
  if (accounts.size > 0) sent.push(loadAccounts(session.client, [...accounts.values()]));
  await Promise.all(sent);
};
