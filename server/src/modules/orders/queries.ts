// Reads of orders, each with everything that belongs to it, in one statement for a page.

import { ORDER_SEARCH } from '@holdfast/contract/api/orders.ts';
import type pg from 'pg';
import { type Amount, fromUnits } from '../../books/money.ts';
import { selected, type Table } from '../../commit/tables.ts';
import { findAcross } from '../../postgres/answering.ts';
import { byIds } from '../../postgres/by-keys.ts';
import {
  beginsWith,
  byIndex,
  conditions,
  createdBetween,
  type PageOf,
  type PageRequest,
  readPage,
} from '../../postgres/page.ts';
import { shareReads } from '../../postgres/shared-read.ts';
import type { Dispute } from '../disputes/dispute.ts';
import type { Escrow } from '../escrows/escrow.ts';
import type { Operation } from '../operations/operation.ts';
import type { Deadline } from '../policies/deadline.ts';
import { type Milestone, ORDERS, type Order, type OrderView, type PolicyName } from './order.ts';

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
export type OrderTables = { readonly escrows: Table; readonly disputes: Table; readonly operations: Table };

// Amounts and times as text: an amount can be larger than a JSON number, and JSON prints times in another format.
const shownTime = (column: string): string => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const unitsOrNull = (text: string | null): Amount | null => (text === null ? null : fromUnits(BigInt(text)));

export const DISPUTE_AMOUNTS = ['sellerAmount', 'buyerAmount'] as const;

/**
 * A joined table as one column of JSON, which is null when no row was joined. Most orders have no dispute and no operation, and the driver
 * takes its time for every column of every row.
 */
export type Part = { readonly table: Table; readonly alias: string; readonly amounts: readonly string[] };

export const jsonOf = ({ table, alias, amounts }: Part): string => {
  const fields = table.names.map(([field, column]) => {
    const value = `${alias}.${column}`;
    if (amounts.includes(field)) return `'${field}', ${value}::text`;
    return `'${field}', ${field.endsWith('At') ? shownTime(value) : value}`;
  });
  return `case when ${alias}.id is not null then json_build_object(${fields.join(', ')}) end`;
};

type PartRow = Readonly<Record<string, unknown>>;

export const partOf = <Row>(json: PartRow | null, { amounts }: Part): Row | null => {
  if (json === null) return null;
  const row = { ...json };
  for (const field of amounts) row[field] = unitsOrNull(json[field] as string | null);
  return row as Row;
};

const MILESTONE = `json_build_object('id', m.id, 'orderId', m.order_id, 'place', m.place, 'ref', m.ref, 'title', m.title,
  'amount', m.amount::text, 'status', m.status, 'disputeId', m.dispute_id,
  'releasedAmount', m.released_amount::text, 'refundedAmount', m.refunded_amount::text, 'fee', m.fee::text,
  'completedAt', ${shownTime('m.completed_at')})`;

const DEADLINE = `json_build_object('id', x.id, 'orderId', x.order_id, 'kind', x.kind, 'subject', x.subject, 'ofKind', x.of_kind,
  'milestoneRef', x.milestone_ref, 'at', ${shownTime('x.at')}, 'status', x.status, 'attempts', x.attempts, 'failure', x.failure,
  'createdAt', ${shownTime('x.created_at')}, 'updatedAt', ${shownTime('x.updated_at')})`;

/** For an order row `t` of the marketplace `$1`. The deadlines of an order without a policy are not looked for. */
const JOINS = `left join escrows e on e.marketplace_id = $1 and e.id = t.escrow_id
  left join disputes d on d.marketplace_id = $1 and d.id = t.dispute_id
  left join operations o on o.marketplace_id = $1 and o.id = t.operation_id
  left join policies p on p.marketplace_id = $1 and p.id = t.policy_id
  left join lateral (select coalesce(json_agg(${MILESTONE} order by m.place), '[]') as milestones from milestones m
    where m.marketplace_id = $1 and m.order_id = t.id) m on true
  left join lateral (select coalesce(json_agg(${DEADLINE} order by x.at, x.id), '[]') as deadlines from deadlines x
    where t.policy_id is not null and x.marketplace_id = $1 and x.order_id = t.id) w on true`;

type MilestoneRow = Omit<Milestone, 'amount' | 'releasedAmount' | 'refundedAmount' | 'fee'> & {
  readonly amount: string;
  readonly releasedAmount: string | null;
  readonly refundedAmount: string | null;
  readonly fee: string | null;
};

export type OrderRow = Order & {
  milestones: MilestoneRow[];
  escrow: PartRow | null;
  dispute: PartRow | null;
  operation: PartRow | null;
  deadlines: Deadline[];
  policyName: string | null;
  policyVersion: number | null;
};

const policyOf = ({ policyId, policyName, policyVersion }: OrderRow): PolicyName | null =>
  policyId === null ? null : { id: policyId, name: policyName ?? '', policyVersion: policyVersion ?? 0 };

const milestoneOf = (row: MilestoneRow): Milestone => ({
  ...row,
  amount: fromUnits(BigInt(row.amount)),
  releasedAmount: unitsOrNull(row.releasedAmount),
  refundedAmount: unitsOrNull(row.refundedAmount),
  fee: unitsOrNull(row.fee),
});

/** The SQL of an order with everything that belongs to it, and the function that reads a row. */
export const orderSql = (tables: OrderTables) => {
  const escrow: Part = { table: tables.escrows, alias: 'e', amounts: ['amount'] };
  const dispute: Part = { table: tables.disputes, alias: 'd', amounts: DISPUTE_AMOUNTS };
  const operation: Part = { table: tables.operations, alias: 'o', amounts: ['amount'] };
  const joined = `${jsonOf(escrow)} as escrow, ${jsonOf(dispute)} as dispute, ${jsonOf(operation)} as operation`;
  return {
    columns: `${selected(ORDERS)}, ${joined}, m.milestones, w.deadlines, p.name as "policyName", p.policy_version as "policyVersion"`,
    joins: JOINS,
    /** The row has more fields than an order. A copy would cost more than they do, and nothing shows or writes them. */
    viewOf: (row: OrderRow): OrderView => ({
      order: row,
      milestones: row.milestones.map(milestoneOf),
      escrow: partOf<Escrow>(row.escrow, escrow),
      dispute: partOf<Dispute>(row.dispute, dispute),
      operation: partOf<Operation>(row.operation, operation),
      policy: policyOf(row),
      deadlines: row.deadlines,
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

export const createOrderReads = (pool: pg.Pool, tables: OrderTables) => {
  const { columns, joins, viewOf } = orderSql(tables);
  const SELECT = `select ${columns} from orders t ${joins}`;
  const read = shareReads<OrderRow>(pool, { text: `select ${columns} from ${byIds('orders')} ${joins}` });
  return {
    async find(marketplaceId: string, id: string): Promise<OrderView | null> {
      const row = await read(marketplaceId, id);
      return row && viewOf(row);
    },

    async list(request: PageRequest & OrderFilter): Promise<PageOf<OrderView>> {
      const filtered = conditions(request.marketplaceId, [
        ['t.id < ?', request.cursor],
        byIndex('t.status', request.status),
        ['t.buyer_id = ?', request.buyerId],
        ['t.seller_id = ?', request.sellerId],
        ['t.client_order_ref = ?', request.clientOrderRef],
        ...createdBetween('order', request),
        [FOUND, request.q],
      ]);
      const page = await readPage<OrderRow>(pool, { select: SELECT, ...filtered, limit: request.limit });
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
