// Loads what a group needs and the caches lack: one statement per table and lookup, all sent at once, after the heads of the
// marketplaces were locked.

import type pg from 'pg';
import { parseInstant } from '../base/instant.ts';
import type { Account } from '../books/accounts.ts';
import { fromUnits, ZERO } from '../books/money.ts';
import { type Assumption, assumeNoAccount, assumeNoRow } from './assumed.ts';
import { texts } from './columnar.ts';
import type { Need, Needs } from './command.ts';
import {
  indexRow,
  isFreshAccount,
  isFreshRow,
  type LaneState,
  lookupKey,
  newRowCache,
  type RowCache,
  rowKey,
} from './row-cache.ts';
import { loadName, loadSql, type Table, type TableName, type Tables } from './tables.ts';

const ADD_MARKETPLACE = 'insert into marketplaces (marketplace_id) values ($1) on conflict (marketplace_id) do nothing';

const LOCK_HEAD = `select event_position, event_at, audit_seq, audit_hash
  from marketplaces where marketplace_id = $1 for no key update`;

const LOAD_ACCOUNTS = `select a.id, a.balance, a.postings, a.touched_at
  from accounts a where a.marketplace_id = $1 and a.id = any($2)`;

/** The connection of a lane and what the lane keeps. */
export type LaneSession = {
  readonly client: pg.Client;
  readonly state: LaneState;
  /** Then the writes are functions, which run on the machine of the marketplace. */
  readonly isDistributed: boolean;
};

const lockHead = async ({ client, state }: LaneSession, marketplaceId: string): Promise<void> => {
  const { caches, tables } = state;
  const values = [marketplaceId];
  const added = client.query({ name: 'add-marketplace', text: ADD_MARKETPLACE, values });
  const locked = client.query({ name: 'lock-head', text: LOCK_HEAD, values });
  const [, { rows }] = await Promise.all([added, locked]);
  const row = rows[0];
  if (!row) throw new Error('a marketplace has no head');
  if (caches.get(marketplaceId)?.head.storedHash === row.audit_hash) return;
  const head = {
    eventPosition: row.event_position,
    eventAt: parseInstant(row.event_at) ?? 0,
    auditSeq: row.audit_seq,
    auditHash: row.audit_hash,
    storedHash: row.audit_hash,
  };
  caches.set(marketplaceId, newRowCache({ marketplaceId, tables, head }));
};

/**
 * Locks the heads: from now on no other group of these marketplaces runs, in any process, until this one has ended. A cache whose
 * hash is not the hash of the head is replaced by an empty one. The ids must be sorted, so that no two groups wait for each other.
 */
export const lockHeads = async (session: LaneSession, marketplaceIds: readonly string[]): Promise<void> => {
  await Promise.all(marketplaceIds.map((marketplaceId) => lockHead(session, marketplaceId)));
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

type Assuming = { readonly needs: Needs; readonly assumptions: Assumption[] };

/** Assumes that what a command expects not to exist does not, where it is not cached, and adds that to the assumptions. */
export const assumeNew = (cache: RowCache, { needs, assumptions }: Assuming): void => {
  const { rows = [], accounts = [] } = needs;
  for (const account of accounts) {
    if (account.isNew && !isAccountCached(cache, account)) assumptions.push(assumeNoAccount(cache, account));
  }
  for (const need of rows) {
    const assumed = need.isNew && !isRowCached(cache, need) ? assumeNoRow(cache, need) : null;
    if (assumed) assumptions.push(assumed);
  }
};

/** Rows of one table and marketplace, all by their ids or all by the same lookup. */
type RowQuery = {
  readonly table: Table;
  readonly by: string | null;
  readonly cache: RowCache;
  readonly values: string[];
};

const loadRows = async (client: pg.Client, query: RowQuery): Promise<void> => {
  const { table, by, cache, values } = query;
  const { marketplaceId } = cache;
  const name = loadName(table, by);
  const { rows } = await client.query({
    ...(name !== null && { name }),
    text: loadSql(table, by),
    values: [marketplaceId, texts(values)],
  });
  for (const { version, ...row } of rows) {
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

/** The accounts of one marketplace, by their ids. */
type AccountQuery = { readonly cache: RowCache; readonly accounts: Map<string, Account> };

const loadAccounts = async (client: pg.Client, { cache, accounts }: AccountQuery): Promise<void> => {
  const { marketplaceId } = cache;
  const { rows } = await client.query({
    name: 'load-accounts',
    text: LOAD_ACCOUNTS,
    values: [marketplaceId, texts([...accounts.keys()])],
  });
  const found = new Map(rows.map((row) => [row.id, row]));
  for (const account of accounts.values()) {
    const row = found.get(account.id);
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
  const name = `${cache.marketplaceId}/${need.table}.${by}`;
  const query = queries.get(name) ?? { table: cache.tables.get(need.table)!, by, cache, values: [] };
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
      if (isAccountCached(cache, account)) continue;
      const query = accounts.get(marketplaceId) ?? { cache, accounts: new Map() };
      query.accounts.set(account.id, account);
      accounts.set(marketplaceId, query);
    }
    for (const need of needs.rows ?? []) if (!isRowCached(cache, need)) addToQuery(rows, { cache, need });
  }
  await Promise.all([
    ...[...rows.values()].map((query) => loadRows(session.client, query)),
    ...[...accounts.values()].map((query) => loadAccounts(session.client, query)),
  ]);
};
