// Reads of marketplaces, newest first, each with its number of users, orders and keys, and whose payment account it uses.
// Only for the operator.

import { MARKETPLACE_COUNTED_MAX } from '@holdfast/contract/api/marketplaces.ts';
import type pg from 'pg';
import { formatPlace, type PageOf, parsePlace } from '../../postgres/page.ts';

export type MarketplaceRecord = {
  readonly id: string;
  readonly createdAt: string;
  readonly users: number;
  readonly orders: number;
  readonly keys: number;
  /** When the credentials of its own payment account were set. Null: new payments use the shared account. */
  readonly ownAccountSince: string | null;
};

type PageRequest = { readonly limit: number; readonly cursor: string | null };

/** Counts with the primary key only, up to the maximum. */
const counted = (table: string, id: string): string => `(select count(*)::integer from (
    select 1 from ${table} c where c.marketplace_id = ${id} limit ${MARKETPLACE_COUNTED_MAX}) c)`;

/** At most one row is not replaced. Never reads the secrets. */
const ownAccountSince = (id: string): string => `(select c.created_at from provider_credentials c
    where c.marketplace_id = ${id} and c.provider = 'payment-provider' and c.replaced_at is null)`;

const select = (
  id: string,
): string => `select t.marketplace_id as id, t.created_at as "createdAt", ${counted('users', id)} as users,
    ${counted('orders', id)} as orders, ${counted('api_keys', id)} as keys, ${ownAccountSince(id)} as "ownAccountSince"
  from marketplaces t`;

const FIND = `${select('$1')} where t.marketplace_id = $1`;

// PostgreSQL counts only for the rows of the page, after it has sorted them.
const LIST = `${select('t.marketplace_id')}
  where $1::timestamptz is null or (t.created_at, t.marketplace_id) < ($1, $2::text)
  order by t.created_at desc, t.marketplace_id desc limit $3`;

export const createMarketplaceReads = (pool: pg.Pool) => ({
  find: async (id: string): Promise<MarketplaceRecord | null> =>
    (await pool.query<MarketplaceRecord>(FIND, [id])).rows[0] ?? null,

  /** Null when the cursor is not valid. */
  async list({ limit, cursor }: PageRequest): Promise<PageOf<MarketplaceRecord> | null> {
    const place = cursor === null ? null : parsePlace(cursor);
    if (cursor !== null && place === null) return null;
    const values = [place?.[0] ?? null, place?.[1] ?? null, limit + 1];
    const { rows } = await pool.query<MarketplaceRecord>(LIST, values);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return { rows: page, nextCursor: rows.length > limit && last ? formatPlace([last.createdAt, last.id]) : null };
  },
});

export type MarketplaceReads = ReturnType<typeof createMarketplaceReads>;
