// The archived rows of one order, in the form of the rows of the database. It only reads.

import { formatInstant, parseInstant } from '../../base/instant.ts';
import { fromUnits } from '../../books/money.ts';
import { type ArchiveSearch, findLines } from '../archives/find-lines.ts';
import { parseRow } from '../archives/slices.ts';
import { type AuditRecord, auditRecordOf } from '../audit/audit-record.ts';
import type { Operation } from '../operations/operation.ts';
import type { OrderEvent, OrderPosting } from './queries.ts';

export type OrderOperation = Pick<
  Operation,
  'id' | 'kind' | 'state' | 'attempts' | 'failure' | 'createdAt' | 'updatedAt'
>;

const timeOf = (text: unknown): string => formatInstant(parseInstant(String(text)) ?? 0);

// biome-ignore lint/suspicious/noExplicitAny: a row of the file, as PostgreSQL wrote it
type Row = any;

/** Only texts and small numbers of an operation are shown, so its amount may lose digits. */
export const archivedOperations = async (search: ArchiveSearch, orderId: string): Promise<OrderOperation[]> =>
  (await findLines(search, { table: 'operations', marks: [orderId] }))
    .map((line) => JSON.parse(line) as Row)
    .filter((row) => row.order_id === orderId)
    .map(({ id, kind, state, attempts, failure, created_at, updated_at }) => {
      const times = { createdAt: timeOf(created_at), updatedAt: timeOf(updated_at) };
      return { id, kind, state, attempts, failure, ...times };
    });

type PostingsWanted = {
  readonly orderId: string;
  /** Every posting of these accounts. */
  readonly own: readonly string[];
  readonly reservedAccount: string;
  readonly escrowAccount: string;
};

const byPlace = (one: OrderPosting, other: OrderPosting): number => {
  if (one.auditSeq !== other.auditSeq) return one.auditSeq < other.auditSeq ? -1 : 1;
  if (one.accountId === other.accountId) return 0;
  return one.accountId < other.accountId ? -1 : 1;
};

/** Those on the buyer's reserved balance, and those on the accounts of the order. */
export const archivedPostings = async (search: ArchiveSearch, wanted: PostingsWanted) => {
  const { orderId, own, reservedAccount, escrowAccount } = wanted;
  const accounts = [...own, reservedAccount];
  const marks = accounts.map((id) => JSON.stringify(id));
  const rows = (await findLines(search, { table: 'postings', marks, accounts })).map((line) => parseRow<Row>(line));
  const present = (row: Row): OrderPosting => ({
    accountId: row.account_id,
    counterAccountId: row.counter_account_id,
    amount: fromUnits(row.amount),
    move: row.move,
    commandId: row.command_id,
    auditSeq: row.audit_seq,
    postedAt: timeOf(row.posted_at),
  });
  const isAside = (row: Row): boolean =>
    row.account_id === reservedAccount && row.reference === orderId && row.counter_account_id !== escrowAccount;
  return {
    aside: rows.filter(isAside).map(present),
    ofOwn: rows
      .filter((row) => own.includes(row.account_id))
      .map(present)
      .sort(byPlace),
  };
};

const SHOWN = ['Order', 'Escrow', 'Dispute'];

type EventsWanted = { readonly aggregateIds: readonly string[]; readonly commandIds: readonly string[] };

export const archivedEvents = async (search: ArchiveSearch, of: EventsWanted): Promise<OrderEvent[]> => {
  const marks = [...of.aggregateIds, ...of.commandIds];
  const isShown = (row: Row): boolean =>
    (SHOWN.includes(row.aggregate_type) && of.aggregateIds.includes(row.aggregate_id)) ||
    (row.aggregate_type === 'Balance' && of.commandIds.some((id) => row.envelope.includes(id)));
  return (await findLines(search, { table: 'events', marks }))
    .map((line) => parseRow<Row>(line))
    .filter(isShown)
    .map((row) => ({ occurredAt: timeOf(row.occurred_at), eventType: row.event_type, envelope: row.envelope }));
};

type AuditsWanted = { readonly resourceIds: readonly string[]; readonly seqs: readonly bigint[] };

export const archivedAudits = async (search: ArchiveSearch, of: AuditsWanted): Promise<AuditRecord[]> => {
  const seqs = new Set(of.seqs);
  const marks = [...of.resourceIds, ...of.seqs.map((seq) => `"seq":${seq},`)];
  const isShown = (row: Row): boolean =>
    seqs.has(row.seq) ||
    (of.resourceIds.includes(row.resource_id) && (row.resource_type !== 'Balance' || row.action === 'BALANCE_SYNCED'));
  return (await findLines(search, { table: 'audit_entries', marks }))
    .map((line) => parseRow<Row>(line))
    .filter(isShown)
    .map((row) =>
      auditRecordOf({
        seq: row.seq,
        occurredAt: timeOf(row.occurred_at),
        action: row.action,
        resourceType: row.resource_type,
        resourceId: row.resource_id,
        userId: row.user_id,
        payloadBefore: row.payload_before,
        payloadAfter: row.payload_after,
        actorType: row.actor_type,
        actorId: row.actor_id,
        result: row.result,
        correlationId: row.correlation_id,
        hash: row.hash,
      }),
    );
};
