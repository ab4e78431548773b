// Reads everything that is stored about one order, from every table, in one snapshot. Each part is read by an index and up to a bound,
// oldest first.

import { TIMELINE_ENTRIES_MAX } from '@holdfast/contract/api/timeline.ts';
import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import type { LedgerTransaction } from '../../ledger/transactions/ledger-transaction.ts';
import { inSnapshot } from '../../postgres/connection.ts';
import { AUDIT_COLUMNS, type AuditRecord, auditRecordOf } from '../audit/queries.ts';
import { ESCROWS, type Escrow } from '../escrows/escrow.ts';
import { OPERATIONS, type Operation } from '../operations/operation.ts';
import { ORDERS, type Order } from '../orders/order.ts';
import { type OrderPosting, readOrderPostings } from './posting-queries.ts';

export type OrderTransaction = Omit<LedgerTransaction, 'envelope' | 'sequence' | 'validUntil'>;

export type OrderEvent = { readonly occurredAt: string; readonly eventType: string; readonly envelope: string };

export type OrderHistory = {
  readonly order: Order;
  readonly escrows: readonly Escrow[];
  readonly operations: readonly Operation[];
  readonly postings: readonly OrderPosting[];
  readonly transactions: readonly OrderTransaction[];
  readonly events: readonly OrderEvent[];
  readonly audits: readonly AuditRecord[];
  /** True when a part has more rows than were read. */
  readonly isCut: boolean;
};

/** One more than is shown, so that a part that ends at the bound is not taken for a longer one. */
const READ_MAX = TIMELINE_ENTRIES_MAX + 1;

const ORDER = `select ${selected(ORDERS)} from orders t where t.marketplace_id = $1 and t.id = $2`;

const ESCROWS_OF = `select ${selected(ESCROWS)} from escrows t where t.marketplace_id = $1 and t.order_id = $2
  order by t.id limit ${READ_MAX}`;

const DISPUTES_OF = `select t.id from disputes t where t.marketplace_id = $1 and t.order_id = $2 order by t.id limit ${READ_MAX}`;

const OPERATIONS_OF = `select ${selected(OPERATIONS)} from operations t where t.marketplace_id = $1 and t.order_id = $2
  order by t.id limit ${READ_MAX}`;

// Calls of the order's contracts, and the treasury's payments that funded them.
const TRANSACTIONS = `select t.id, t.source, t.purpose, t.state, t.actions, t.failure, t.created_at as "createdAt",
    t.updated_at as "updatedAt"
  from ledger_transactions t where t.marketplace_id = $1 and t.id in (
    select c.id from ledger_transactions c where c.marketplace_id = $1 and c.actions -> 0 ->> 'orderId' = $2
    union all
    select p.transaction_id from treasury_payments p where p.marketplace_id = $1 and p.reference = any($3)
      and p.transaction_id is not null)
  order by t.created_at, t.id limit ${READ_MAX}`;

/** How many other events may lie between a posting and its event. */
const EVENTS_BETWEEN = 500;

// Every event of a balance belongs to a posting of the same command. It is never earlier, and at most a few places later.
const EVENTS = `select f.occurred_at as "occurredAt", f.event_type as "eventType", f.envelope from (
    select e.position, e.occurred_at, e.event_type, e.envelope from events e where e.marketplace_id = $1
      and e.aggregate_id = any($2) and e.aggregate_type in ('Order', 'Escrow', 'Dispute')
    union
    select b.* from unnest($3::text[], $4::timestamptz[]) c (command_id, at) cross join lateral (
      select n.position, n.occurred_at, n.event_type, n.envelope from (select e.position, e.occurred_at, e.event_type, e.envelope, e.aggregate_type from events e
        where e.marketplace_id = $1 and e.occurred_at >= c.at order by e.occurred_at limit ${EVENTS_BETWEEN}) n
      where n.aggregate_type = 'Balance' and strpos(n.envelope, c.command_id) > 0
    ) b
  ) f order by f.position limit ${READ_MAX}`;

const AUDITS = `select ${AUDIT_COLUMNS} from audit_entries t where t.marketplace_id = $1 and t.seq in (
    select r.seq from audit_entries r where r.marketplace_id = $1 and r.resource_id = any($2)
      and (r.resource_type <> 'Balance' or r.action = 'BALANCE_SYNCED')
    union all select unnest($3::bigint[]))
  order by t.seq limit ${READ_MAX}`;

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

const readHistory = async (client: pg.PoolClient, of: readonly [string, string]): Promise<OrderHistory | null> => {
  const [marketplaceId, orderId] = of;
  const all = async <Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> =>
    (await client.query<Row>(text, values)).rows;
  const order = (await all<Order>(ORDER, [...of]))[0];
  if (!order) return null;

  const escrows = await all<Escrow>(ESCROWS_OF, [...of]);
  const disputes = await all<{ id: string }>(DISPUTES_OF, [...of]);
  const operations = await all<Operation>(OPERATIONS_OF, [...of]);
  const transactions = await all<OrderTransaction>(TRANSACTIONS, [...of, idsOf(operations)]);
  const { postings, isCut } = await readOrderPostings(client, { marketplaceId, order, escrows, limit: READ_MAX });

  const commands = new Map(postings.map(({ commandId, postedAt }) => [commandId, postedAt]));
  const aggregateIds = [orderId, ...idsOf(escrows), ...idsOf(disputes)];
  const events = await all<OrderEvent>(EVENTS, [
    marketplaceId,
    aggregateIds,
    [...commands.keys()],
    [...commands.values()],
  ]);
  const resourceIds = [...aggregateIds, ...idsOf(operations), ...idsOf(transactions)];
  const audits = await all<AuditRecord>(AUDITS, [marketplaceId, resourceIds, postings.map(({ auditSeq }) => auditSeq)]);

  const parts = [escrows, disputes, operations, transactions, events, audits];
  return {
    order,
    escrows,
    operations,
    postings,
    transactions,
    events,
    audits: audits.map(auditRecordOf),
    isCut: isCut || parts.some(({ length }) => length === READ_MAX),
  };
};

export const createTimelineReads = (pool: pg.Pool) => ({
  /** Null when there is no such order. */
  find: (marketplaceId: string, orderId: string): Promise<OrderHistory | null> =>
    inSnapshot(pool, (client) => readHistory(client, [marketplaceId, orderId])),
});

export type TimelineReads = ReturnType<typeof createTimelineReads>;
