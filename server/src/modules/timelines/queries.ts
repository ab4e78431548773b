// Reads everything that is stored about one order, from every table, in one snapshot. Each part is read by an index and up to a bound,
// oldest first.

import { TIMELINE_ENTRIES_MAX } from '@holdfast/contract/api/timeline.ts';
import { CURRENCIES } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { createGate } from '../../base/concurrency.ts';
import { contractHolding, orderEscrow, reserved } from '../../books/accounts.ts';
import type { Amount } from '../../books/money.ts';
import { selected } from '../../commit/tables.ts';
import type { LedgerTransaction } from '../../ledger/transactions/ledger-transaction.ts';
import { inSnapshot } from '../../postgres/connection.ts';
import { archivesIn, keptArchives } from '../archives/account-postings.ts';
import type { Archive } from '../archives/archive.ts';
import type { ArchiveSearch } from '../archives/find-lines.ts';
import { createArchiveReads } from '../archives/queries.ts';
import { AUDIT_COLUMNS, type AuditRecord, auditRecordOf } from '../audit/audit-record.ts';
import type { DisputeMessage } from '../dispute-messages/message.ts';
import { deployedContract, ESCROWS, type Escrow } from '../escrows/escrow.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { NOTES, type Note } from '../notes/note.ts';
import { OPERATIONS, type Operation } from '../operations/operation.ts';
import { ORDERS, type Order } from '../orders/order.ts';
import { POSTINGS_BEFORE } from '../statements/queries.ts';
import {
  archivedAudits,
  archivedEvents,
  archivedOperations,
  archivedPostings,
  type OrderOperation,
} from './archived-history.ts';
import { type ReadAll, readFiles } from './dispute-files.ts';

export type OrderPosting = {
  readonly accountId: string;
  readonly counterAccountId: string;
  /** Below zero for money that left the account. */
  readonly amount: Amount;
  readonly move: string;
  readonly commandId: string;
  readonly auditSeq: bigint;
  readonly postedAt: string;
};

export type OrderTransaction = Omit<LedgerTransaction, 'envelope' | 'sequence' | 'validUntil'>;

export type OrderEvent = { readonly occurredAt: string; readonly eventType: string; readonly envelope: string };

export type OrderHistory = {
  readonly order: Order;
  readonly escrows: readonly Escrow[];
  readonly operations: readonly OrderOperation[];
  readonly postings: readonly OrderPosting[];
  readonly transactions: readonly OrderTransaction[];
  readonly notes: readonly Note[];
  readonly evidence: readonly Evidence[];
  readonly messages: readonly DisputeMessage[];
  readonly events: readonly OrderEvent[];
  readonly audits: readonly AuditRecord[];
  /** True when a part has more rows than were read. */
  readonly isCut: boolean;
  /** Archived months with rows of this order whose files cannot be read. */
  readonly archives: readonly string[];
};

/** One more than is shown: a part of exactly the bound is then not mistaken for a longer part. */
const READ_MAX = TIMELINE_ENTRIES_MAX + 1;

const ORDER = `select ${selected(ORDERS)} from orders t where t.marketplace_id = $1 and t.id = $2`;

const ESCROWS_OF = `select ${selected(ESCROWS)} from escrows t where t.marketplace_id = $1 and t.order_id = $2
  order by t.id limit ${READ_MAX}`;

const DISPUTES_OF = `select t.id from disputes t where t.marketplace_id = $1 and t.order_id = $2 order by t.id limit ${READ_MAX}`;

// Requests about the order that waited for approval.
const APPROVALS_OF = `select t.id from approvals t where t.marketplace_id = $1 and t.order_id = $2 order by t.id limit ${READ_MAX}`;

const CORRECTIONS_OF = `select t.id from corrections t where t.marketplace_id = $1 and t.order_id = $2 order by t.id limit ${READ_MAX}`;

const NOTES_OF = `select ${selected(NOTES)} from notes t where t.marketplace_id = $1 and t.resource_id = any($2)
  order by t.id limit ${READ_MAX}`;

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

/** The number of other events that may be between a posting and its event. */
const EVENTS_BETWEEN = 500;

// Every event of a balance belongs to a posting of the same command. It is never earlier, and at most a few places later.
const EVENTS = `select f.occurred_at as "occurredAt", f.event_type as "eventType", f.envelope from (
    select e.position, e.occurred_at, e.event_type, e.envelope from events e where e.marketplace_id = $1
      and e.aggregate_id = any($2) and e.aggregate_type in ('Order', 'Escrow', 'Dispute')
    union
    select e.position, e.occurred_at, e.event_type, e.envelope from events e where e.marketplace_id = $1
      and e.aggregate_id = any($2) and e.aggregate_type = 'Correction'
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

type PostingsRequest = {
  readonly marketplaceId: string;
  readonly order: Order;
  readonly escrows: readonly Escrow[];
  readonly limit: number;
  readonly search: ArchiveSearch;
};

/** How many postings of the buyer's reserved balance are searched. A buyer has few orders at the same time. */
const SEARCHED_MAX = 5_000;

const COLUMNS = `p.account_id as "accountId", p.counter_account_id as "counterAccountId", p.amount, p.move,
  p.command_id as "commandId", p.audit_seq as "auditSeq", p.posted_at as "postedAt"`;

const OWN = `select ${COLUMNS} from unnest($2::text[]) a (id) cross join lateral (select p.* from postings p
    where p.marketplace_id = $1 and p.account_id = a.id order by p.seq limit $3) p
  order by p.posted_at, p.audit_seq, p.account_id, p.seq limit $3`;

// The move into the escrow is read from the account of the escrow.
const SET_ASIDE = `select ${COLUMNS} from (select p.* from postings p where p.marketplace_id = $1 and p.account_id = $2
    and p.seq > $3 order by p.seq limit ${SEARCHED_MAX}) p
  where p.reference = $4 and p.counter_account_id <> $5 and p.posted_at <= $6 order by p.seq limit $7`;

/** A reservation is given back when the order ends at the latest. */
const endOf = ({ status, updatedAt }: Order): string => (status === 'CLOSED' ? updatedAt : 'infinity');

/**
 * Reads the postings of one order: all on the accounts of its escrow and its contracts, and those on the buyer's reserved balance that
 * name the order. A move is two postings; only one of them is read.
 */
const readOrderPostings = async (
  client: pg.PoolClient,
  { marketplaceId, order, escrows, limit, search }: PostingsRequest,
): Promise<{ postings: OrderPosting[]; isCut: boolean }> => {
  const contracts = new Set(
    escrows.flatMap((escrow) => [escrow.providerContractId, deployedContract(escrow)]).filter((id) => id !== null),
  );
  const escrowAccount = orderEscrow(order.id, order.currency).id;
  const own = [
    escrowAccount,
    ...[...contracts].flatMap((id) => CURRENCIES.map((currency) => contractHolding(id, currency).id)),
  ];
  const reservedAccount = reserved(order.buyerId, order.currency).id;
  const { rows: ofOwn } = await client.query<OrderPosting>(OWN, [marketplaceId, own, limit]);
  const placeAt = async (time: string): Promise<bigint> => {
    const { rows } = await client.query<{ seq: bigint }>(POSTINGS_BEFORE, [marketplaceId, reservedAccount, time]);
    return rows[0]?.seq ?? 0n;
  };
  const first = await placeAt(order.createdAt);
  const last = await placeAt(endOf(order));
  const { rows: aside } = await client.query<OrderPosting>(SET_ASIDE, [
    marketplaceId,
    reservedAccount,
    first,
    order.id,
    escrowAccount,
    endOf(order),
    limit,
  ]);
  const isBeyond = last - first > SEARCHED_MAX;
  const older = await archivedPostings(search, { orderId: order.id, own, reservedAccount, escrowAccount });
  const postings = [...older.aside, ...aside, ...older.ofOwn, ...ofOwn];
  return { postings, isCut: isBeyond || ofOwn.length === limit || aside.length === limit };
};

const archivesOf = async (
  client: Pick<pg.Pool, 'query'>,
  of: { marketplaceId: string; order: Order },
): Promise<Archive[]> => {
  const archives = keptArchives(await createArchiveReads(client).list(of.marketplaceId));
  return archivesIn(archives, { from: of.order.createdAt, to: endOf(of.order) });
};

/** One row of each id, in the order of the ids. An operation may be in a file and in the database while its archive is moved. */
const byId = <Row extends { readonly id: string }>(rows: readonly Row[]): Row[] =>
  [...new Map(rows.map((row) => [row.id, row])).values()].sort((a, b) => (a.id < b.id ? -1 : 1));

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

type Asked = { readonly marketplaceId: string; readonly orderId: string; readonly dir: string };

const readHistory = async (client: pg.PoolClient, asked: Asked): Promise<OrderHistory | null> => {
  const { marketplaceId, orderId, dir } = asked;
  const of = [marketplaceId, orderId];
  const all: ReadAll = async <Row extends pg.QueryResultRow>(text: string, values: unknown[]) =>
    (await client.query<Row>(text, values)).rows;
  const order = (await all<Order>(ORDER, [...of]))[0];
  if (!order) return null;
  const archives = await archivesOf(client, { marketplaceId, order });
  const search: ArchiveSearch = { dir, marketplaceId, archives, unread: new Set() };

  const escrows = await all<Escrow>(ESCROWS_OF, [...of]);
  const disputes = await all<{ id: string }>(DISPUTES_OF, [...of]);
  const approvals = await all<{ id: string }>(APPROVALS_OF, [...of]);
  const corrections = await all<{ id: string }>(CORRECTIONS_OF, [...of]);
  const notes = await all<Note>(NOTES_OF, [marketplaceId, [orderId, ...idsOf(disputes)]]);
  const { evidence, messages } = await readFiles(all, { marketplaceId, disputeIds: idsOf(disputes) });
  const stored = await all<Operation>(OPERATIONS_OF, [...of]);
  const operations = byId<OrderOperation>([...(await archivedOperations(search, orderId)), ...stored]);
  const transactions = await all<OrderTransaction>(TRANSACTIONS, [...of, idsOf(operations)]);
  const { postings, isCut } = await readOrderPostings(client, {
    marketplaceId,
    order,
    escrows,
    search,
    limit: READ_MAX,
  });

  const commands = new Map(postings.map(({ commandId, postedAt }) => [commandId, postedAt]));
  const aggregateIds = [orderId, ...idsOf(escrows), ...idsOf(disputes), ...idsOf(corrections)];
  const events = await all<OrderEvent>(EVENTS, [
    marketplaceId,
    aggregateIds,
    [...commands.keys()],
    [...commands.values()],
  ]);
  const resourceIds = [
    ...aggregateIds,
    ...idsOf(approvals),
    ...[notes, evidence, messages].flatMap(idsOf),
    ...idsOf(operations),
    ...idsOf(transactions),
  ];
  const seqs = postings.map(({ auditSeq }) => auditSeq);
  const audits = await all<AuditRecord>(AUDITS, [marketplaceId, resourceIds, seqs]);
  const olderEvents = await archivedEvents(search, { aggregateIds, commandIds: [...commands.keys()] });
  const olderAudits = await archivedAudits(search, { resourceIds, seqs });

  const parts = [
    escrows,
    disputes,
    approvals,
    corrections,
    notes,
    evidence,
    messages,
    operations,
    transactions,
    events,
    audits,
  ];
  return {
    order,
    escrows,
    operations,
    postings,
    transactions,
    notes,
    evidence,
    messages,
    events: [...olderEvents, ...events],
    audits: [...olderAudits, ...audits.map(auditRecordOf)],
    archives: [...search.unread],
    isCut: isCut || parts.some(({ length }) => length === READ_MAX),
  };
};

/** Searches of archives read whole files, so they run one after the other and few of them wait. */
const SEARCHES = { atOnce: 1, waitingMax: 10 };

export const createTimelineReads = (pool: pg.Pool, { dir }: { dir: string }) => {
  const gate = createGate(SEARCHES);
  return {
    /** Null when there is no such order. `dir` is the folder of the archives. */
    async find(marketplaceId: string, orderId: string): Promise<OrderHistory | null> {
      const read = () => inSnapshot(pool, (client) => readHistory(client, { marketplaceId, orderId, dir }));
      const order = (await pool.query<Order>(ORDER, [marketplaceId, orderId])).rows[0];
      // A search must not hold a connection while it waits for its turn.
      const isArchived = order !== undefined && (await archivesOf(pool, { marketplaceId, order })).length > 0;
      return isArchived ? gate(read) : read();
    },
  };
};

export type TimelineReads = ReturnType<typeof createTimelineReads>;
