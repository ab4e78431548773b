// Writes what a group decided: a handful of set-based statements, sent at once. Every update names the version it read
// and counts its rows, so that a change behind our back fails the group instead of being overwritten.

import type pg from 'pg';
import { parseInstant } from '../domain/instant.ts';
import { type Column, encode, insertion, type SetStatement, update } from './columnar.ts';
import type {
  AccountCell,
  AnswerCell,
  AuditRow,
  EventRow,
  GroupState,
  Head,
  PostingRow,
  RowCell,
} from './group-state.ts';
import { insertSql, snake, TABLES, type TableName, updateSql } from './tables.ts';

const micros = (iso: string | null): number => parseInstant(iso ?? '') ?? 0;

const FRESH_ACCOUNTS: readonly Column<AccountCell>[] = [
  ['marketplace_id', 'text', (cell) => cell.marketplaceId],
  ['id', 'text', (cell) => cell.account.id],
  ['side', 'text', (cell) => cell.account.side],
  ['currency', 'text', (cell) => cell.account.currency],
  ['user_id', 'text', (cell) => cell.account.userId],
  ['open', 'boolean', (cell) => cell.account.open],
  ['balance', 'bigint', (cell) => cell.balance],
  ['postings', 'bigint', (cell) => cell.postings],
  ['touched_at', 'timestamptz', (cell) => micros(cell.touchedAt)],
];

const CHANGED_ACCOUNTS: readonly Column<AccountCell>[] = [
  ['marketplace_id', 'text', (cell) => cell.marketplaceId],
  ['id', 'text', (cell) => cell.account.id],
  ['balance', 'bigint', (cell) => cell.balance],
  ['postings', 'bigint', (cell) => cell.postings],
  ['postings_before', 'bigint', (cell) => cell.storedPostings],
  ['touched_at', 'timestamptz', (cell) => micros(cell.touchedAt)],
];

const POSTINGS: readonly Column<PostingRow>[] = [
  ['marketplace_id', 'text', (row) => row.marketplaceId],
  ['account_id', 'text', (row) => row.accountId],
  ['seq', 'bigint', (row) => row.seq],
  ['amount', 'bigint', (row) => row.amount],
  ['balance_after', 'bigint', (row) => row.balanceAfter],
  ['counter_account_id', 'text', (row) => row.counterAccountId],
  ['move', 'text', (row) => row.move],
  ['reference', 'text', (row) => row.reference],
  ['description', 'text', (row) => row.description],
  ['command_id', 'text', (row) => row.commandId],
  ['posted_at', 'timestamptz', (row) => row.postedAt],
];

const EVENTS: readonly Column<EventRow>[] = [
  ['marketplace_id', 'text', (row) => row.marketplaceId],
  ['position', 'bigint', (row) => row.position],
  ['occurred_at', 'timestamptz', (row) => row.occurredAt],
  ['event_type', 'text', (row) => row.eventType],
  ['aggregate_type', 'text', (row) => row.aggregateType],
  ['aggregate_id', 'text', (row) => row.aggregateId],
  ['envelope', 'text', (row) => row.envelope],
];

const AUDITS: readonly Column<AuditRow>[] = [
  ['marketplace_id', 'text', (row) => row.marketplaceId],
  ['seq', 'bigint', (row) => row.seq],
  ['occurred_at', 'timestamptz', (row) => micros(row.occurredAt)],
  ['action', 'text', (row) => row.action],
  ['resource_type', 'text', (row) => row.resourceType],
  ['resource_id', 'text', (row) => row.resourceId],
  ['user_id', 'text', (row) => row.userId],
  ['payload_before', 'text', (row) => row.payloadBefore],
  ['payload_after', 'text', (row) => row.payloadAfter],
  ['actor_type', 'text', (row) => row.actorType],
  ['actor_id', 'text', (row) => row.actorId],
  ['result', 'text', (row) => row.result],
  ['correlation_id', 'text', (row) => row.correlationId],
  ['hash', 'text', (row) => row.hash],
];

const HEADS: readonly Column<readonly [marketplaceId: string, head: Head]>[] = [
  ['marketplace_id', 'text', ([marketplaceId]) => marketplaceId],
  ['event_position', 'bigint', ([, head]) => head.eventPosition],
  ['event_at', 'timestamptz', ([, head]) => head.eventAt],
  ['audit_seq', 'bigint', ([, head]) => head.auditSeq],
  ['audit_hash', 'text', ([, head]) => head.auditHash],
];

const ANSWERS: readonly Column<AnswerCell>[] = [
  ['marketplace_id', 'text', (cell) => cell.marketplaceId],
  ['key_hash', 'bytea', (cell) => cell.keyHash],
  ['fingerprint', 'bytea', (cell) => cell.fingerprint],
  ['status', 'integer', (cell) => cell.status],
  ['body', 'text', (cell) => cell.body],
  ['expires_at', 'timestamptz', (cell) => micros(cell.expiresAt)],
];

const INSERT_ACCOUNTS = insertion('accounts', { columns: FRESH_ACCOUNTS });
const UPDATE_ACCOUNTS = update('accounts', {
  columns: CHANGED_ACCOUNTS,
  set: 'balance = u.balance, postings = u.postings, touched_at = u.touched_at',
  where: 't.marketplace_id = u.marketplace_id and t.id = u.id and t.postings = u.postings_before',
});
const INSERT_POSTINGS = insertion('postings', { columns: POSTINGS });
const INSERT_EVENTS = insertion('events', { columns: EVENTS });
const INSERT_AUDITS = insertion('audit_entries', { columns: AUDITS });
const UPDATE_HEADS = update('marketplaces', {
  columns: HEADS,
  set: `event_position = u.event_position, event_at = u.event_at, audit_seq = u.audit_seq, audit_hash = u.audit_hash`,
  where: 't.marketplace_id = u.marketplace_id',
});
const PUT_ANSWERS = insertion('idempotency_answers', {
  columns: ANSWERS,
  onConflict: `on conflict (marketplace_id, key_hash) do update set fingerprint = excluded.fingerprint,
    status = excluded.status, body = excluded.body, expires_at = excluded.expires_at`,
});

type Sent = Promise<unknown>[];

const send = <Row>(client: pg.Client, statement: SetStatement<Row>, rows: readonly Row[]): Sent => {
  if (rows.length === 0) return [];
  const { name, text, columns } = statement;
  const values: unknown[] = encode(columns, rows);
  if (name.startsWith('update')) values.push(rows.length);
  return [client.query({ name, text, values })];
};

const writeAccounts = (client: pg.Client, state: GroupState): Sent => {
  const fresh: AccountCell[] = [];
  const changed: AccountCell[] = [];
  for (const cell of state.accounts.values()) {
    if (cell.postings === cell.storedPostings) continue;
    (cell.storedPostings === 0n ? fresh : changed).push(cell);
  }
  return [...send(client, INSERT_ACCOUNTS, fresh), ...send(client, UPDATE_ACCOUNTS, changed)];
};

const toJson = (cell: RowCell): Record<string, unknown> => {
  const row: Record<string, unknown> = { marketplace_id: cell.marketplaceId, version: cell.storedVersion + 1 };
  for (const column of TABLES[cell.table].columns) {
    const value = (cell.row as Record<string, unknown>)[column];
    row[snake(column)] = typeof value === 'bigint' ? String(value) : value;
  }
  return row;
};

const writeRows = (client: pg.Client, state: GroupState): Sent => {
  const dirty: RowCell[] = [];
  for (const cell of state.rows.values()) if (cell.dirty) dirty.push(cell);
  if (dirty.length === 0) return [];
  const sent: Sent = [];
  for (const table of Object.keys(TABLES) as TableName[]) {
    const cells = dirty.filter((cell) => cell.table === table);
    const fresh = cells.filter((cell) => cell.storedVersion === 0).map(toJson);
    const known = cells.filter((cell) => cell.storedVersion > 0).map(toJson);
    if (fresh.length > 0) {
      const values = [JSON.stringify(fresh)];
      sent.push(client.query({ name: `insert-${table}`, text: insertSql(table), values }));
    }
    if (known.length > 0) {
      const values = [JSON.stringify(known), known.length];
      sent.push(client.query({ name: `update-${table}`, text: updateSql(table), values }));
    }
  }
  return sent;
};

/** The postings of every command must cancel out, whatever the code above them did. */
const assertBalanced = (state: GroupState): void => {
  let sum = 0n;
  for (const posting of state.postings) sum += posting.amount;
  if (sum !== 0n) throw new Error(`the group's postings sum to ${sum}, not to zero`);
};

/** Sends every statement of the group; empty when there is nothing to write. */
export const write = (client: pg.Client, state: GroupState): Sent => {
  assertBalanced(state);
  const trail = state.events.length + state.audits.length > 0;
  const answers: AnswerCell[] = [];
  for (const cell of state.answers.values()) if (cell.dirty) answers.push(cell);
  return [
    ...writeAccounts(client, state),
    ...writeRows(client, state),
    ...send(client, INSERT_POSTINGS, state.postings),
    ...send(client, INSERT_EVENTS, state.events),
    ...send(client, INSERT_AUDITS, state.audits),
    ...send(client, UPDATE_HEADS, trail ? [...state.heads] : []),
    ...send(client, PUT_ANSWERS, answers),
  ];
};
