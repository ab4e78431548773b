// Reads of disputes. A single dispute comes with its order, a page of disputes without.

import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import { byIds } from '../../postgres/by-keys.ts';
import { byIndex, conditions, createdBetween, type PageOf, type PageRequest, readPage } from '../../postgres/page.ts';
import { shareReads } from '../../postgres/shared-read.ts';
import { ESCROWS } from '../escrows/escrow.ts';
import { OPERATIONS } from '../operations/operation.ts';
import { type JoinedJson, joinOne, readJoined } from '../orders/joined-rows.ts';
import type { DisputeView } from '../orders/order.ts';
import { type OrderRow, type OrderTables, orderParts, orderSql } from '../orders/queries.ts';
import { DISPUTES, type Dispute } from './dispute.ts';

type DisputeFilter = {
  readonly orderId?: string;
  readonly buyerId?: string;
  readonly sellerId?: string;
  readonly status?: string;
  readonly openedBy?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
};

const TABLES: OrderTables = { escrows: ESCROWS, disputes: DISPUTES, operations: OPERATIONS };
const ORDER = orderSql(TABLES);
const { dispute: REQUESTED } = orderParts(TABLES);

/** The requested dispute and its order. The order may name a later dispute, which is joined as always. */
const FIND = `select x.id as key, to_json(x) as requested, ${ORDER.columns} from ${byIds('disputes', 'q')}
  ${joinOne(REQUESTED, { alias: 'x', id: 'q.id' })}
  join lateral (select * from orders r where r.marketplace_id = $1 and r.id >= q.order_id and r.id <= q.order_id
    order by r.id limit 1) t on true ${ORDER.joins}`;

type RequestedRow = OrderRow & { readonly key: string; readonly requested: JoinedJson };

const LIST = `select ${selected(DISPUTES)} from disputes t`;

/**
 * The dispute's order has this party. An index finds the orders of a party. As an array they are looked up one by one, whatever
 * the planner estimates.
 */
const ordersOf = (column: 'buyer_id' | 'seller_id'): string =>
  `t.order_id = any(array(select o.id from orders o where o.marketplace_id = $1 and o.${column} = ?
    and o.dispute_id is not null))`;

const disputePages = (pool: pg.Pool) => ({
  async list(request: PageRequest & DisputeFilter): Promise<PageOf<Dispute>> {
    const filtered = conditions(request.marketplaceId, [
      ['t.id < ?', request.cursor],
      ['t.order_id = ?', request.orderId],
      [ordersOf('buyer_id'), request.buyerId],
      [ordersOf('seller_id'), request.sellerId],
      byIndex('t.status', request.status),
      byIndex('t.opened_by', request.openedBy),
      ...createdBetween('dispute', request),
    ]);
    return readPage<Dispute>(pool, { select: LIST, ...filtered, limit: request.limit });
  },
});

export const createDisputeReads = (pool: pg.Pool) => {
  const read = shareReads<RequestedRow>(pool, { text: FIND, key: 'key' });
  return {
    ...disputePages(pool),

    async find(marketplaceId: string, id: string): Promise<DisputeView | null> {
      const row = await read(marketplaceId, id);
      return row && { dispute: readJoined(row.requested, REQUESTED), order: ORDER.viewOf(row) };
    },

    /** The order of a dispute, for requests that name the dispute alone. */
    async orderOf(marketplaceId: string, id: string): Promise<string | null> {
      const text = 'select order_id as "orderId" from disputes where marketplace_id = $1 and id = $2';
      return (await pool.query<{ orderId: string }>(text, [marketplaceId, id])).rows[0]?.orderId ?? null;
    },
  };
};

export type DisputeReads = ReturnType<typeof createDisputeReads>;
