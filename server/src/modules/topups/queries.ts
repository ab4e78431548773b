// Reads of top-ups: by the marketplace they belong to, and for whoever hears from the payment provider, which does not
// know of marketplaces. It only reads.

import type pg from 'pg';
import { selected } from '../../commit/table-sql.ts';
import { conditions, type PageAsk, type PageOf, readPage } from '../../postgres/page.ts';
import { FLOAT_OPENING } from '../float/float-opening.ts';
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

const OPENED = 'select 1 from float_openings t where t.marketplace_id = $1 and t.id = $2';

// A withdrawal is paid there only after the provider has named it.
const AT_PROVIDER = `select exists (select 1 from topups t
    where t.status in ('TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING'))
  or exists (select 1 from withdrawals w where w.provider_payout_id is not null
    and w.status in ('WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION')) as some`;

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

  /** Whether what lay at the provider before us is in the books. */
  async isFloatOpened(): Promise<boolean> {
    const values = [FLOAT_OPENING.marketplaceId, FLOAT_OPENING.id];
    return (await pool.query({ name: 'float-opened', text: OPENED, values })).rows.length > 0;
  },

  /** Whether there are some that the provider may be paid for, or pay, at any moment. */
  async areSomeAtProvider(): Promise<boolean> {
    return (await pool.query<{ some: boolean }>(AT_PROVIDER)).rows[0]!.some;
  },
});

export type TopUpReads = ReturnType<typeof createTopUpReads>;
