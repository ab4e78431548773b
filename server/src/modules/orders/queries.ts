// Reads of orders, each with everything that belongs to it, in one statement for a page.

import { ORDER_SEARCH } from '@holdfast/contract/api/orders.ts';
import type pg from 'pg';
import { selected, type Table } from '../../commit/tables.ts';
import { findAcross } from '../../postgres/answering.ts';
import { byIds } from '../../postgres/by-keys.ts';
import {
  beginsWith,
  byIndex,
  conditions,
  createdBetween,
  type Filter,
  type PageOf,
  type PageRequest,
  readPage,
} from '../../postgres/page.ts';
import { shareReads } from '../../postgres/shared-read.ts';
import type { Dispute } from '../disputes/dispute.ts';
import type { Escrow } from '../escrows/escrow.ts';
import type { Operation } from '../operations/operation.ts';
import { DEADLINES, type Deadline } from '../policies/deadline.ts';
import { type Joined, type JoinedJson, joinOne, joinSeveral, readJoined } from './joined-rows.ts';
import { inPlace, MILESTONES, type Milestone, ORDERS, type Order, type OrderView, type PolicyName } from './order.ts';

type OrderFilter = {
  readonly q?: string;
  readonly status?: string;
  readonly buyerId?: string;
  readonly sellerId?: string;
  readonly clientOrderRef?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
};

/** The tables that an order is joined with. Their modules use this one, so the wiring hands the tables in. */
export type OrderTables = {
  readonly escrows: Table;
  readonly disputes: Table;
  readonly operations: Table;
};

/** How each table is joined. */
export const orderParts = ({ escrows, disputes, operations }: OrderTables) => {
  const escrow: Joined<Escrow> = {
    table: escrows,
    amounts: { amount: true },
    times: ['fundedAt', 'releasedAt', 'refundedAt', 'createdAt', 'updatedAt'],
  };
  const dispute: Joined<Dispute> = {
    table: disputes,
    amounts: { sellerAmount: true, buyerAmount: true },
    times: ['resolvedAt', 'createdAt', 'updatedAt'],
  };
  const operation: Joined<Operation> = {
    table: operations,
    amounts: { amount: true },
    times: ['nextAttemptAt', 'createdAt', 'updatedAt'],
  };
  const milestone: Joined<Milestone> = {
    table: MILESTONES,
    amounts: { amount: true, releasedAmount: true, refundedAmount: true, fee: true },
    times: ['completedAt'],
  };
  const deadline: Joined<Deadline> = { table: DEADLINES, amounts: {}, times: ['at', 'createdAt', 'updatedAt'] };
  return { escrow, dispute, operation, milestone, deadline };
};

/** For an order row `t` of the marketplace `$1`. The deadlines of an order without a policy are not looked for. */
const joinsOf = ({ escrow, dispute, operation, milestone, deadline }: ReturnType<typeof orderParts>): string =>
  [
    joinOne(escrow, { alias: 'e', id: 't.escrow_id' }),
    joinOne(dispute, { alias: 'd', id: 't.dispute_id' }),
    joinOne(operation, { alias: 'o', id: 't.operation_id' }),
    `left join lateral (select r.name, r.policy_version from policies r
      where r.marketplace_id = $1 and r.id >= t.policy_id and r.id <= t.policy_id order by r.id limit 1) p on true`,
    joinSeveral(milestone, { alias: 'm', orderId: 't.id' }),
    joinSeveral(deadline, { alias: 'w', orderId: 't.id', where: 't.policy_id is not null' }),
  ].join('\n');

export type OrderRow = Order & {
  milestones: JoinedJson[] | null;
  escrow: JoinedJson | null;
  dispute: JoinedJson | null;
  operation: JoinedJson | null;
  deadlines: Deadline[] | null;
  policyName: string | null;
  policyVersion: number | null;
};

const policyOf = ({ policyId, policyName, policyVersion }: OrderRow): PolicyName | null =>
  policyId === null ? null : { id: policyId, name: policyName ?? '', policyVersion: policyVersion ?? 0 };

const timeAndId = ({ at, id }: Deadline): string => `${at} ${id}`;

const inTime = (one: Deadline, other: Deadline): number => (timeAndId(one) < timeAndId(other) ? -1 : 1);

/** The SQL of an order with everything that belongs to it, and the function that reads a row. */
export const orderSql = (tables: OrderTables) => {
  const parts = orderParts(tables);
  const { escrow, dispute, operation, milestone } = parts;
  return {
    columns: `${selected(ORDERS)}, to_json(e) as escrow, to_json(d) as dispute, to_json(o) as operation,
      m.rows as milestones, w.rows as deadlines, p.name as "policyName", p.policy_version as "policyVersion"`,
    joins: joinsOf(parts),
    /** The row has more fields than an order. A copy would cost more than they do, and nothing shows or writes them. */
    viewOf: (row: OrderRow): OrderView => ({
      order: row,
      milestones: (row.milestones ?? []).map((one) => readJoined(one, milestone)).sort(inPlace),
      escrow: row.escrow && readJoined(row.escrow, escrow),
      dispute: row.dispute && readJoined(row.dispute, dispute),
      operation: row.operation && readJoined(row.operation, operation),
      policy: policyOf(row),
      deadlines: (row.deadlines ?? []).toSorted(inTime),
    }),
  };
};

// No index begins with the id alone. A lookup in each marketplace uses the primary key.
export const MARKETPLACE_HOLDING = `select h.marketplace_id as id from marketplaces h
   where exists (select 1 from orders t where t.marketplace_id = h.marketplace_id and t.id = $1) limit 1`;

/**
 * The ids that a search finds: each part by an index and up to a bound. As an array the ids are looked up one by one, whatever the
 * planner estimates.
 */
const FOUND = `t.id = any(array(
    select s.id from orders s where s.marketplace_id = $1 and s.id = ?
    union all (select s.id from orders s where s.marketplace_id = $1 and s.buyer_id = ?
      order by s.id desc limit ${ORDER_SEARCH.newest})
    union all (select s.id from orders s where s.marketplace_id = $1 and s.seller_id = ?
      order by s.id desc limit ${ORDER_SEARCH.newest})
    union all (select s.id from orders s where s.marketplace_id = $1
      and ${beginsWith('s.client_order_ref')} order by s.client_order_ref using ~<~ limit ${ORDER_SEARCH.prefixed})
    union all select s.id from (select n.id, n.title from orders n where n.marketplace_id = $1
      order by n.id desc limit ${ORDER_SEARCH.newest}) s where strpos(lower(s.title), lower(?)) > 0))`;

/** A search and a reference find few orders. An equation with `is true` uses no index, so no other plan reads all orders of a party or a state. */
const ofOrder = ({ q, clientOrderRef, status, buyerId, sellerId }: OrderFilter): Filter[] =>
  q === undefined && clientOrderRef === undefined
    ? [byIndex('t.status', status), ['t.buyer_id = ?', buyerId], ['t.seller_id = ?', sellerId]]
    : [
        ['(t.status = ?) is true', status],
        ['(t.buyer_id = ?) is true', buyerId],
        ['(t.seller_id = ?) is true', sellerId],
      ];

export const createOrderReads = (pool: pg.Pool, tables: OrderTables) => {
  const { columns, joins, viewOf } = orderSql(tables);
  const read = shareReads<OrderRow>(pool, { text: `select ${columns} from ${byIds('orders')} ${joins}` });
  return {
    async find(marketplaceId: string, id: string): Promise<OrderView | null> {
      const row = await read(marketplaceId, id);
      return row && viewOf(row);
    },

    async list(request: PageRequest & OrderFilter): Promise<PageOf<OrderView>> {
      const filtered = conditions(request.marketplaceId, [
        ['t.id < ?', request.cursor],
        ...ofOrder(request),
        ['t.client_order_ref = ?', request.clientOrderRef],
        ...createdBetween('order', request),
        [FOUND, request.q],
      ]);
      const found = { select: 'select t.* from orders t', joined: { columns, joins }, ...filtered };
      const page = await readPage<OrderRow>(pool, { ...found, limit: request.limit });
      return { rows: page.rows.map(viewOf), nextCursor: page.nextCursor };
    },

    /** Only for routes without keys. */
    async marketplaceOf(orderId: string): Promise<string | null> {
      const rows = await findAcross<{ id: string }>(pool, { text: MARKETPLACE_HOLDING, values: [orderId] });
      return rows[0]?.id ?? null;
    },
  };
};

export type OrderReads = ReturnType<typeof createOrderReads>;
