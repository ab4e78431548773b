// Reads of orders, each with everything that belongs to it, in one statement for a page.

import { ORDER_SEARCH } from '@holdfast/contract/api/orders.ts';
import type pg from 'pg';
import { snakeCase } from '../../base/snake-case.ts';
import { fromUnits } from '../../books/money.ts';
import { selected } from '../../commit/table-sql.ts';
import type { Table } from '../../commit/tables.ts';
import { conditions, type PageAsk, type PageOf, readPage } from '../../postgres/page.ts';
import { BEGINS_WITH } from '../../postgres/search.ts';
import { DISPUTES, type Dispute } from '../disputes/dispute.ts';
import { ESCROWS, type Escrow } from '../escrows/escrow.ts';
import { OPERATIONS, type Operation } from '../operations/operation.ts';
import { type Milestone, ORDERS, type Order } from './order.ts';
import type { OrderView } from './order-view.ts';

export type OrderFilter = {
  readonly q?: string;
  readonly status?: string;
  readonly buyerId?: string;
  readonly sellerId?: string;
  readonly clientOrderRef?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
};

/** A table that is read together with others: its columns are told apart by its alias. */
export type Part = { readonly table: Table; readonly alias: string };

const ESCROW: Part = { table: ESCROWS, alias: 'e' };
const DISPUTE: Part = { table: DISPUTES, alias: 'd' };
const OPERATION: Part = { table: OPERATIONS, alias: 'o' };

export const columnsOf = ({ table, alias }: Part): string =>
  table.columns.map((column) => `${alias}.${snakeCase(column)} as "${alias}.${column}"`).join(', ');

/** Null when there was nothing to join. */
export const partOf = <Row>(row: object, { table, alias }: Part): Row | null => {
  const values = row as Record<string, unknown>;
  if (values[`${alias}.id`] === null) return null;
  return Object.fromEntries(table.columns.map((column) => [column, values[`${alias}.${column}`]])) as Row;
};

// As texts what JSON would not keep exactly: an amount can be larger than its numbers, and its times look different.
const MILESTONE = `json_build_object('id', m.id, 'orderId', m.order_id, 'place', m.place, 'ref', m.ref, 'title', m.title,
  'amount', m.amount::text, 'status', m.status,
  'completedAt', to_char(m.completed_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))`;

export const ORDER_COLUMNS = `${selected(ORDERS)}, ${columnsOf(ESCROW)}, ${columnsOf(DISPUTE)}, ${columnsOf(OPERATION)},
  m.milestones`;

/** For an order row `t`. */
export const ORDER_JOINS = `left join escrows e on e.marketplace_id = t.marketplace_id and e.id = t.escrow_id
  left join disputes d on d.marketplace_id = t.marketplace_id and d.id = t.dispute_id
  left join operations o on o.marketplace_id = t.marketplace_id and o.id = t.operation_id
  left join lateral (select coalesce(json_agg(${MILESTONE} order by m.place), '[]') as milestones from milestones m
    where m.marketplace_id = t.marketplace_id and m.order_id = t.id) m on true`;

export type OrderRow = Order & { milestones: (Omit<Milestone, 'amount'> & { amount: string })[] };

const orderOf = (row: OrderRow): Order =>
  Object.fromEntries(ORDERS.columns.map((column) => [column, row[column as keyof Order]])) as unknown as Order;

export const orderViewOf = (row: OrderRow): OrderView => ({
  order: orderOf(row),
  milestones: row.milestones.map((milestone) => ({ ...milestone, amount: fromUnits(BigInt(milestone.amount)) })),
  escrow: partOf<Escrow>(row, ESCROW),
  dispute: partOf<Dispute>(row, DISPUTE),
  operation: partOf<Operation>(row, OPERATION),
});

const SELECT = `select ${ORDER_COLUMNS} from orders t ${ORDER_JOINS}`;

// No index begins with the id alone; asked for in each marketplace it is found by the key.
export const MARKETPLACE_HOLDING = `select h.marketplace_id as id from marketplaces h
   where exists (select 1 from orders t where t.marketplace_id = h.marketplace_id and t.id = $1) limit 1`;

/**
 * The ids that a search finds: each part by an index and up to a bound. As an array they are looked up one by one, whatever
 * the planner believes to know.
 */
const FOUND = `t.id = any(array(
    select s.id from orders s where s.marketplace_id = $1 and s.id = ?
    union all (select s.id from orders s where s.marketplace_id = $1 and s.buyer_id = ?
      order by s.id desc limit ${ORDER_SEARCH.newest})
    union all (select s.id from orders s where s.marketplace_id = $1 and s.seller_id = ?
      order by s.id desc limit ${ORDER_SEARCH.newest})
    union all (select s.id from orders s where s.marketplace_id = $1
      and s.client_order_ref ${BEGINS_WITH} order by s.client_order_ref using ~<~ limit ${ORDER_SEARCH.prefixed})
    union all select s.id from (select n.id, n.title from orders n where n.marketplace_id = $1
      order by n.id desc limit ${ORDER_SEARCH.newest}) s where strpos(lower(s.title), lower(?)) > 0))`;

export const createOrderReads = (pool: pg.Pool) => ({
  async find(marketplaceId: string, id: string): Promise<OrderView | null> {
    const values = [marketplaceId, id];
    const { rows } = await pool.query<OrderRow>(`${SELECT} where t.marketplace_id = $1 and t.id = $2`, values);
    return rows[0] ? orderViewOf(rows[0]) : null;
  },

  async list(ask: PageAsk & OrderFilter): Promise<PageOf<OrderView>> {
    const { where, values } = conditions(ask.marketplaceId, [
      ['t.id < ?', ask.cursor],
      ['t.status = ?', ask.status],
      ['t.buyer_id = ?', ask.buyerId],
      ['t.seller_id = ?', ask.sellerId],
      ['t.client_order_ref = ?', ask.clientOrderRef],
      ['t.created_at > ?', ask.createdAfter],
      ['t.created_at < ?', ask.createdBefore],
      [FOUND, ask.q],
    ]);
    const page = await readPage<OrderRow>(pool, { select: SELECT, where, values, limit: ask.limit });
    return { rows: page.rows.map(orderViewOf), nextCursor: page.nextCursor };
  },

  /** Only for routes that ask for no key. */
  async marketplaceOf(orderId: string): Promise<string | null> {
    const { rows } = await pool.query<{ id: string }>(MARKETPLACE_HOLDING, [orderId]);
    return rows[0]?.id ?? null;
  },
});

export type OrderReads = ReturnType<typeof createOrderReads>;
