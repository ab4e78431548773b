// Reads of top-ups: by marketplace, and in all marketplaces for reports of the payment provider, which does not know marketplaces.
// It only reads.

import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import { findAcross, readAcross } from '../../postgres/answering.ts';
import { byIds } from '../../postgres/by-keys.ts';
import { byIndex, conditions, createdBetween, type PageOf, type PageRequest, readPage } from '../../postgres/page.ts';
import { shareReads } from '../../postgres/shared-read.ts';
import { TOPUPS, type TopUp } from './topup.ts';

type TopUpFilter = {
  readonly userId?: string;
  readonly status?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
};

/** A top-up and its marketplace. */
export type PlacedTopUp = { readonly marketplaceId: string; readonly topup: TopUp };

const SELECT = `select ${selected(TOPUPS)} from topups t`;

// No index begins with the id alone. Joined with each marketplace, the primary key finds it.
const BY_ID = `select t.marketplace_id as "marketplaceId", ${selected(TOPUPS)} from marketplaces h
  join topups t on t.marketplace_id = h.marketplace_id and t.id = $1 limit 1`;

const BY_PAYIN = `select t.marketplace_id as "marketplaceId", ${selected(TOPUPS)} from topups t
  where t.provider_payin_id = $1 limit 1`;

// Only these can be credited: a payment over another amount waits for a person.
const PAID_LATE = `select t.marketplace_id as "marketplaceId", ${selected(TOPUPS)} from topups t
  where t.late_amount = t.amount and t.corrected_at is null and t.status in ('TOPUP_FAILED', 'TOPUP_CANCELED')
  order by 1, t.id limit $1`;

type Row = TopUp & { marketplaceId: string };

const placed = (row: Row | undefined): PlacedTopUp | null => {
  if (!row) return null;
  const { marketplaceId, ...topup } = row;
  return { marketplaceId, topup };
};

export const createTopUpReads = (pool: pg.Pool) => ({
  find: shareReads<TopUp>(pool, { text: `select ${selected(TOPUPS)} from ${byIds('topups')}` }),

  async list(request: PageRequest & TopUpFilter): Promise<PageOf<TopUp>> {
    const filtered = conditions(request.marketplaceId, [
      ['t.id < ?', request.cursor],
      ['t.user_id = ?', request.userId],
      byIndex('t.status', request.status),
      ...createdBetween('topup', request),
    ]);
    return readPage<TopUp>(pool, { select: SELECT, ...filtered, limit: request.limit });
  },

  /** In any marketplace. */
  async findAnywhere(id: string): Promise<PlacedTopUp | null> {
    return placed((await findAcross<Row>(pool, { name: 'topup-anywhere', text: BY_ID, values: [id] }))[0]);
  },

  /** Booked as paid late and not credited, of all marketplaces. */
  async listPaidLate(limit: number): Promise<PlacedTopUp[]> {
    const rows = await readAcross<Row>(pool, { name: 'topups-paid-late', text: PAID_LATE, values: [limit] });
    return rows.map(({ marketplaceId, ...topup }) => ({ marketplaceId, topup }));
  },

  async findByPayin(payinId: string): Promise<PlacedTopUp | null> {
    return placed((await findAcross<Row>(pool, { name: 'topup-of-payin', text: BY_PAYIN, values: [payinId] }))[0]);
  },
});

export type TopUpReads = ReturnType<typeof createTopUpReads>;
