// Loads the rows that a group needs, one statement per table and lookup, all sent at once. The heads of the marketplaces
// are locked first: from then on no other group of these marketplaces runs, in any process, until this one has ended.

import type pg from 'pg';
import type { Need, Needs } from '../commands/command.ts';
import type { Account } from '../domain/account.ts';
import { parseInstant } from '../domain/instant.ts';
import { fromUnits, ZERO } from '../domain/money.ts';
import type { Tables } from '../domain/tables.ts';
import { bytes, texts } from './arrays.ts';
import { type GroupState, indexRow, lookupKey, rowKey } from './group-state.ts';
import { loadSql, type TableName } from './tables.ts';

const LOCK_HEADS = `select marketplace_id, event_position, event_at, audit_seq, audit_hash, pg_current_xact_id()::text as xid
  from marketplaces where marketplace_id = any($1) order by marketplace_id for no key update`;

const LOAD_ACCOUNTS = `select a.marketplace_id, a.id, a.balance, a.postings, a.touched_at
  from unnest($1::text[], $2::text[]) k (marketplace_id, id)
  join accounts a on a.marketplace_id = k.marketplace_id and a.id = k.id`;

const LOAD_ANSWERS = `select a.marketplace_id, a.key_hash, a.fingerprint, a.status, a.body, a.expires_at
  from unnest($1::text[], $2::bytea[]) k (marketplace_id, key_hash)
  join idempotency_answers a on a.marketplace_id = k.marketplace_id and a.key_hash = k.key_hash`;

/** Locks the heads and answers the transaction's id, by which a lost commit can be looked up later. */
export const lockHeads = async (client: pg.Client, state: GroupState, marketplaceIds: string[]): Promise<string> => {
  const { rows } = await client.query({ name: 'lock-heads', text: LOCK_HEADS, values: [marketplaceIds] });
  if (rows.length !== marketplaceIds.length) throw new Error('a marketplace has no head');
  for (const row of rows) {
    state.heads.set(row.marketplace_id, {
      eventPosition: row.event_position,
      eventAt: parseInstant(row.event_at) ?? 0,
      auditSeq: row.audit_seq,
      auditHash: row.audit_hash,
    });
  }
  return rows[0].xid;
};

type Wanted = { marketplaceId: string; needs: Needs };

const isLookup = (need: Need): need is Extract<Need, { by: string }> => 'by' in need;

const loadRows = async (
  client: pg.Client,
  state: GroupState,
  batch: { table: TableName; by: string | null; marketplaceIds: string[]; values: string[] },
): Promise<void> => {
  const { table, by } = batch;
  const { rows } = await client.query({
    name: `load-${table}-${by ?? 'id'}`,
    text: loadSql(table, by),
    values: [texts(batch.marketplaceIds), texts(batch.values)],
  });
  for (const { marketplaceId, version, ...row } of rows) {
    const key = rowKey(marketplaceId, table, row.id);
    const known = state.rows.get(key);
    // Already there from another lookup, or put there by an earlier command: what is in memory is newer.
    if (known?.row) continue;
    const cell = { table, marketplaceId, storedVersion: version, row: row as Tables[TableName], dirty: false };
    state.rows.set(key, cell);
    indexRow(state, cell);
  }
};

const loadAccounts = async (
  client: pg.Client,
  state: GroupState,
  wanted: Map<string, { marketplaceId: string; account: Account }>,
) => {
  const keys = [...wanted.values()];
  const { rows } = await client.query({
    name: 'load-accounts',
    text: LOAD_ACCOUNTS,
    values: [texts(keys.map((key) => key.marketplaceId)), texts(keys.map((key) => key.account.id))],
  });
  const found = new Map(rows.map((row) => [`${row.marketplace_id}/${row.id}`, row]));
  for (const [key, { marketplaceId, account }] of wanted) {
    const row = found.get(key);
    state.accounts.set(key, {
      marketplaceId,
      account,
      storedPostings: row?.postings ?? 0n,
      balance: row ? fromUnits(row.balance) : ZERO,
      postings: row?.postings ?? 0n,
      touchedAt: row?.touched_at ?? null,
    });
  }
};

/** Asks for everything that is named and not there yet. Returns the statements under way, already sent. */
export const load = (client: pg.Client, state: GroupState, wanted: readonly Wanted[]): Promise<void>[] => {
  const batches = new Map<
    string,
    { table: TableName; by: string | null; marketplaceIds: string[]; values: string[] }
  >();
  const accounts = new Map<string, { marketplaceId: string; account: Account }>();

  for (const { marketplaceId, needs } of wanted) {
    for (const account of needs.accounts ?? []) {
      const key = `${marketplaceId}/${account.id}`;
      if (!state.accounts.has(key)) accounts.set(key, { marketplaceId, account });
    }
    for (const need of needs.rows ?? []) {
      const by = isLookup(need) ? need.by : null;
      const value = isLookup(need) ? need.value : need.id;
      if (by === null) {
        const key = rowKey(marketplaceId, need.table, value);
        if (state.rows.has(key)) continue;
        state.rows.set(key, { table: need.table, marketplaceId, storedVersion: 0, row: undefined, dirty: false });
      } else {
        const key = lookupKey(marketplaceId, need.table, by, value);
        if (state.lookups.has(key)) continue;
        // Rows put by earlier commands of this group would be missed by a lookup that comes only now.
        state.lookups.set(key, new Set());
        for (const cell of state.rows.values()) if (cell.table === need.table) indexRow(state, cell);
      }
      const name = `${need.table}.${by}`;
      const batch = batches.get(name) ?? { table: need.table, by, marketplaceIds: [], values: [] };
      batch.marketplaceIds.push(marketplaceId);
      batch.values.push(value);
      batches.set(name, batch);
    }
  }

  const under = [...batches.values()].map((batch) => loadRows(client, state, batch));
  if (accounts.size > 0) under.push(loadAccounts(client, state, accounts));
  return under;
};

export const answerKey = (marketplaceId: string, keyHash: Buffer): string =>
  `${marketplaceId}/${keyHash.toString('base64')}`;

export const loadAnswers = async (
  client: pg.Client,
  state: GroupState,
  keys: readonly { marketplaceId: string; keyHash: Buffer }[],
): Promise<void> => {
  const { rows } = await client.query({
    name: 'load-answers',
    text: LOAD_ANSWERS,
    values: [texts(keys.map((key) => key.marketplaceId)), bytes(keys.map((key) => key.keyHash))],
  });
  for (const row of rows) {
    state.answers.set(answerKey(row.marketplace_id, row.key_hash), {
      marketplaceId: row.marketplace_id,
      keyHash: row.key_hash,
      fingerprint: row.fingerprint,
      status: row.status,
      body: row.body,
      expiresAt: row.expires_at,
      live: true,
      dirty: false,
    });
  }
};
