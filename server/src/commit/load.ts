// Puts on the shelves what a group needs and they lack: one statement per table and lookup, all sent at once, after the
// heads of the marketplaces were locked.

import type pg from 'pg';
import { parseInstant } from '../base/instant.ts';
import type { Account } from '../books/accounts.ts';
import { fromUnits, ZERO } from '../books/money.ts';
import { bytes, texts } from './arrays.ts';
import type { AnswerRow } from './batch.ts';
import type { Need, Needs } from './command.ts';
import { indexRow, lookupKey, type Memory, newShelf, rowKey, type Shelf } from './row-cache.ts';
import type { TableName } from './table-columns.ts';
import { loadSql } from './table-sql.ts';
import type { Tables } from './tables.ts';

const ADD_MARKETPLACES = `insert into marketplaces (marketplace_id) select unnest($1::text[])
  on conflict (marketplace_id) do nothing`;

const LOCK_HEADS = `select marketplace_id, event_position, event_at, audit_seq, audit_hash
  from marketplaces where marketplace_id = any($1) order by marketplace_id for no key update`;

const LOAD_ACCOUNTS = `select a.marketplace_id, a.id, a.balance, a.postings, a.touched_at
  from unnest($1::text[], $2::text[]) k (marketplace_id, id)
  join accounts a on a.marketplace_id = k.marketplace_id and a.id = k.id`;

const LOAD_ANSWERS = `select a.marketplace_id, a.key_hash, a.fingerprint, a.status, a.body, a.created_at, a.expires_at
  from unnest($1::text[], $2::bytea[]) k (marketplace_id, key_hash)
  join idempotency_answers a on a.marketplace_id = k.marketplace_id and a.key_hash = k.key_hash`;

/**
 * Locks the heads: from now on no other group of these marketplaces runs, in any process, until this one has ended. A
 * shelf that does not end where the head's chain ends is emptied.
 */
export const lockHeads = async (client: pg.Client, memory: Memory, marketplaceIds: string[]): Promise<void> => {
  const values = [texts(marketplaceIds)];
  const added = client.query({ name: 'add-marketplaces', text: ADD_MARKETPLACES, values });
  const locked = client.query({ name: 'lock-heads', text: LOCK_HEADS, values });
  const [, { rows }] = await Promise.all([added, locked]);
  if (rows.length !== marketplaceIds.length) throw new Error('a marketplace has no head');
  for (const row of rows) {
    if (memory.get(row.marketplace_id)?.head.storedHash === row.audit_hash) continue;
    memory.set(
      row.marketplace_id,
      newShelf(row.marketplace_id, {
        eventPosition: row.event_position,
        eventAt: parseInstant(row.event_at) ?? 0,
        auditSeq: row.audit_seq,
        auditHash: row.audit_hash,
        storedHash: row.audit_hash,
      }),
    );
  }
};

const lookupOf = (need: Need): { by: string; value: string } | null => ('by' in need ? need : null);

export const isOnShelf = (shelf: Shelf, needs: Needs): boolean => {
  for (const account of needs.accounts ?? []) if (!shelf.accounts.has(account.id)) return false;
  for (const need of needs.rows ?? []) {
    const lookup = lookupOf(need);
    if (
      lookup
        ? !shelf.asked.has(lookupKey(need.table, lookup))
        : !('id' in need && shelf.rows.has(rowKey(need.table, need.id)))
    ) {
      return false;
    }
  }
  return true;
};

type RowsAsked = { table: TableName; by: string | null; shelves: Shelf[]; values: string[] };
type AccountAsked = { shelf: Shelf; account: Account };

const loadRows = async (client: pg.Client, memory: Memory, asked: RowsAsked): Promise<void> => {
  const { table, by, shelves, values } = asked;
  // Not prepared: a plan made while the table was empty cannot tell its indexes apart, and would stay.
  const { rows } = await client.query({
    text: loadSql(table, by),
    values: [texts(shelves.map((shelf) => shelf.marketplaceId)), texts(values)],
  });
  for (const { marketplaceId, version, ...row } of rows) {
    const shelf = memory.get(marketplaceId)!;
    const key = rowKey(table, row.id);
    // Already there from another lookup, or put there by an earlier command: what is in memory is newer.
    if (shelf.rows.get(key)?.row) continue;
    const cell = { table, marketplaceId, storedVersion: version, row: row as Tables[TableName] };
    shelf.rows.set(key, cell);
    indexRow(shelf, cell);
  }
};

const loadAccounts = async (client: pg.Client, asked: readonly AccountAsked[]): Promise<void> => {
  const { rows } = await client.query({
    name: 'load-accounts',
    text: LOAD_ACCOUNTS,
    values: [texts(asked.map(({ shelf }) => shelf.marketplaceId)), texts(asked.map(({ account }) => account.id))],
  });
  const found = new Map(rows.map((row) => [`${row.marketplace_id}/${row.id}`, row]));
  for (const { shelf, account } of asked) {
    const row = found.get(`${shelf.marketplaceId}/${account.id}`);
    shelf.accounts.set(account.id, {
      marketplaceId: shelf.marketplaceId,
      account,
      storedPostings: row?.postings ?? 0n,
      balance: row ? fromUnits(row.balance) : ZERO,
      postings: row?.postings ?? 0n,
      touchedAt: row?.touched_at ?? null,
    });
  }
};

/** Asks for everything that is named and not there yet, and waits for it. */
export const load = async (
  client: pg.Client,
  memory: Memory,
  wanted: readonly { marketplaceId: string; needs: Needs }[],
): Promise<void> => {
  const rows = new Map<string, RowsAsked>();
  const accounts = new Map<string, AccountAsked>();

  for (const { marketplaceId, needs } of wanted) {
    const shelf = memory.get(marketplaceId)!;
    for (const account of needs.accounts ?? []) {
      if (!shelf.accounts.has(account.id)) accounts.set(`${marketplaceId}/${account.id}`, { shelf, account });
    }
    for (const need of needs.rows ?? []) {
      const lookup = lookupOf(need);
      if (lookup) {
        const key = lookupKey(need.table, lookup);
        if (shelf.asked.has(key)) continue;
        shelf.asked.add(key);
      } else if ('id' in need) {
        const key = rowKey(need.table, need.id);
        if (shelf.rows.has(key)) continue;
        shelf.rows.set(key, { table: need.table, marketplaceId, storedVersion: 0, row: undefined });
      }
      const name = `${need.table}.${lookup?.by}`;
      const asked = rows.get(name) ?? { table: need.table, by: lookup?.by ?? null, shelves: [], values: [] };
      asked.shelves.push(shelf);
      asked.values.push(lookup ? lookup.value : (need as { id: string }).id);
      rows.set(name, asked);
    }
  }

  const sent = [...rows.values()].map((asked) => loadRows(client, memory, asked));
  if (accounts.size > 0) sent.push(loadAccounts(client, [...accounts.values()]));
  await Promise.all(sent);
};

export const loadAnswers = async (
  client: pg.Client,
  keys: readonly { marketplaceId: string; keyHash: Buffer }[],
): Promise<AnswerRow[]> => {
  const { rows } = await client.query({
    name: 'load-answers',
    text: LOAD_ANSWERS,
    values: [texts(keys.map((key) => key.marketplaceId)), bytes(keys.map((key) => key.keyHash))],
  });
  return rows.map((row) => ({
    marketplaceId: row.marketplace_id,
    keyHash: row.key_hash,
    fingerprint: row.fingerprint,
    status: row.status,
    body: row.body,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }));
};
