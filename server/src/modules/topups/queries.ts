// Reads of top-ups: by the marketplace they belong to, and for whoever hears from the payment provider, which does not
// know of marketplaces. It only reads.

import type pg from 'pg';
import { selected } from '../../commit/table-sql.ts';
import { conditions, type PageAsk, type PageOf, readPage } from '../../postgres/page.ts';
import { TOPUPS, type TopUp } from './topup.ts';

export type TopUpFilter = {
  readonly userId?: string;
  readonly status?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
};

/** A top-up and where it is. */
export type PlacedTopUp = { readonly marketplaceId: string; readonly topup: TopUp };

const SELECT = `select ${selected(TOPUPS)} from topups t`;

// No index begins with the id alone; asked for in each marketplace it is found by the key.
const BY_ID = `select t.marketplace_id as "marketplaceId", ${selected(TOPUPS)} from marketplaces h
  join topups t on t.marketplace_id = h.marketplace_id and t.id = $1 limit 1`;

const BY_PAYIN = `select t.marketplace_id as "marketplaceId", ${selected(TOPUPS)} from topups t
  where t.provider_payin_id = $1 limit 1`;

type Row = TopUp & { marketplaceId: string };

const placed = (row: Row | undefined): PlacedTopUp | null => {
  if (!row) return null;
  const { marketplaceId, ...topup } = row;
  return { marketplaceId, topup };
};

export const createTopUpReads = (pool: pg.Pool) => ({
  async find(marketplaceId: string, id: string): Promise<TopUp | null> {
    const values = [marketplaceId, id];
    const text = `${SELECT} where t.marketplace_id = $1 and t.id = $2`;
    return (await pool.query<TopUp>({ name: 'topup', text, values })).rows[0] ?? null;
  },

  async list(ask: PageAsk & TopUpFilter): Promise<PageOf<TopUp>> {
    const { where, values } = conditions(ask.marketplaceId, [
      ['t.id < ?', ask.cursor],
      ['t.user_id = ?', ask.userId],
      ['t.status = ?', ask.status],
      ['t.created_at > ?', ask.createdAfter],
      ['t.created_at < ?', ask.createdBefore],
    ]);
    return readPage<TopUp>(pool, { select: SELECT, where, values, limit: ask.limit });
  },

  /** In whichever marketplace it is. */
  async findAnywhere(id: string): Promise<PlacedTopUp | null> {
    return placed((await pool.query<Row>({ name: 'topup-anywhere', text: BY_ID, values: [id] })).rows[0]);
  },

  async findByPayin(payinId: string): Promise<PlacedTopUp | null> {
    return placed((await pool.query<Row>({ name: 'topup-of-payin', text: BY_PAYIN, values: [payinId] })).rows[0]);
  },
});

export type TopUpReads = ReturnType<typeof createTopUpReads>;
