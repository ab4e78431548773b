// What a group decided as SQL: a handful of set-based statements, sent at once. Every update names the version it read
// and counts its rows, so that a change behind our back fails the group instead of being overwritten.

import type pg from 'pg';
import { parseInstant } from '../base/instant.ts';
import type { AnswerRow, AuditRow, Batch, EventRow, PostingRow } from './batch.ts';
import { type Column, insertInto, type Statement, statement, valuesOf } from './columnar.ts';
import type { AccountCell, RowCell, Shelf } from './row-cache.ts';
import { TABLES, type TableName } from './table-columns.ts';
import { insertSql, snake, updateSql } from './table-sql.ts';

let lastIso: string | null = null;
let lastMicros = 0;

/** Rows of one command carry the same time, so the last one is worth keeping. */
const micros = (iso: string | null): number => {
  if (iso !== lastIso) {
    lastIso = iso;
    lastMicros = parseInstant(iso ?? '') ?? 0;
  }
  return lastMicros;
};

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
  ['audit_seq', 'bigint', (row) => row.auditSeq],
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

const HEADS: readonly Column<Shelf>[] = [
  ['marketplace_id', 'text', (shelf) => shelf.marketplaceId],
  ['hash_before', 'text', ({ head }) => head.storedHash],
  ['event_position', 'bigint', ({ head }) => head.eventPosition],
  ['event_at', 'timestamptz', ({ head }) => head.eventAt],
  ['audit_seq', 'bigint', ({ head }) => head.auditSeq],
  ['audit_hash', 'text', ({ head }) => head.auditHash],
];

const ANSWERS: readonly Column<AnswerRow>[] = [
  ['marketplace_id', 'text', (row) => row.marketplaceId],
  ['key_hash', 'bytea', (row) => row.keyHash],
  ['fingerprint', 'bytea', (row) => row.fingerprint],
  ['status', 'integer', (row) => row.status],
  ['body', 'text', (row) => row.body],
  ['created_at', 'timestamptz', (row) => micros(row.createdAt)],
  ['expires_at', 'timestamptz', (row) => micros(row.expiresAt)],
];

const ADD_ACCOUNTS = statement('add-accounts', [insertInto('accounts', FRESH_ACCOUNTS)]);

// The first statement of every group: takes the row lock, and finds out whether the group decided on the truth.
const MOVE_HEADS = statement('move-heads', [
  {
    columns: HEADS,
    sql: (rows) => `update marketplaces t set event_position = u.event_position, event_at = u.event_at,
        audit_seq = u.audit_seq, audit_hash = u.audit_hash
      from ${rows} u where t.marketplace_id = u.marketplace_id and t.audit_hash = u.hash_before returning 1`,
  },
]);

/** For a group that only looked: what it saw must have been the truth too. */
const CHECK_HEADS = statement('check-heads', [
  {
    columns: HEADS.slice(0, 2),
    sql: (rows) => `select 1 from ${rows} u join marketplaces t
      on t.marketplace_id = u.marketplace_id and t.audit_hash = u.hash_before`,
  },
]);

const WRITE_BOOKS = statement<[AccountCell, PostingRow, EventRow, AuditRow]>('write-books', [
  {
    columns: CHANGED_ACCOUNTS,
    sql: (rows) => `update accounts t set balance = u.balance, postings = u.postings, touched_at = u.touched_at
      from ${rows} u where t.marketplace_id = u.marketplace_id and t.id = u.id and t.postings = u.postings_before
      returning 1`,
  },
  insertInto('postings', POSTINGS),
  insertInto('events', EVENTS),
  insertInto('audit_entries', AUDITS),
]);

// Only an expired answer may be replaced; any other was given by somebody else meanwhile.
const PUT_ANSWERS = statement('put-answers', [
  {
    columns: ANSWERS,
    sql: (rows) => `insert into idempotency_answers as t (${ANSWERS.map(([name]) => name).join(', ')})
      select * from ${rows} on conflict (marketplace_id, key_hash) do update set fingerprint = excluded.fingerprint,
        status = excluded.status, body = excluded.body, created_at = excluded.created_at,
        expires_at = excluded.expires_at
      where t.expires_at <= excluded.created_at returning 1`,
  },
]);

const filled = <Rows extends unknown[]>(
  of: Statement<Rows>,
  sets: { readonly [I in keyof Rows]: readonly Rows[I][] },
): pg.QueryConfig[] =>
  sets.every((rows) => rows.length === 0) ? [] : [{ name: of.name, text: of.text, values: valuesOf(of, sets) }];

const toJson = (cell: RowCell): Record<string, unknown> => {
  const row: Record<string, unknown> = { marketplace_id: cell.marketplaceId, version: cell.storedVersion + 1 };
  for (const column of TABLES[cell.table].columns) {
    const value = (cell.row as Record<string, unknown>)[column];
    row[snake(column)] = typeof value === 'bigint' ? String(value) : value;
  }
  return row;
};

const rowStatements = (dirty: ReadonlySet<RowCell>): pg.QueryConfig[] => {
  if (dirty.size === 0) return [];
  const statements: pg.QueryConfig[] = [];
  for (const table of Object.keys(TABLES) as TableName[]) {
    const cells = [...dirty].filter((cell) => cell.table === table);
    const fresh = cells.filter((cell) => cell.storedVersion === 0).map(toJson);
    const known = cells.filter((cell) => cell.storedVersion > 0).map(toJson);
    if (fresh.length > 0) {
      const values = [JSON.stringify(fresh)];
      statements.push({ name: `insert-${table}`, text: insertSql(table), values });
    }
    if (known.length > 0) {
      const values = [JSON.stringify(known), known.length];
      // Not prepared, for the reason that loads are not.
      statements.push({ text: updateSql(table), values });
    }
  }
  return statements;
};

/** The postings of every group must cancel out, whatever the code above them did. */
const assertBalanced = (postings: readonly PostingRow[]): void => {
  let sum = 0n;
  for (const posting of postings) sum += posting.amount;
  if (sum !== 0n) throw new Error(`the group's postings sum to ${sum}, not to zero`);
};

/** From here on memory says what the database will say; if it does not, the next group's hashes will not fit. */
const markSent = (batch: Batch): void => {
  for (const cell of batch.accounts) cell.storedPostings = cell.postings;
  for (const cell of batch.rows) cell.storedVersion += 1;
  for (const { head } of batch.shelves) head.storedHash = head.auditHash;
};

/** The statements of the batch, to be sent at once in one transaction; a batch that cannot be written throws before. */
export const write = (batch: Batch): pg.QueryConfig[] => {
  assertBalanced(batch.postings);
  const shelves = [...batch.shelves].sort((a, b) => (a.marketplaceId < b.marketplaceId ? -1 : 1));
  const moved = shelves.filter(({ head }) => head.auditHash !== head.storedHash);
  const seen = shelves.filter(({ head }) => head.auditHash === head.storedHash);
  const accounts = [...batch.accounts];
  const fresh = accounts.filter((cell) => cell.storedPostings === 0n);
  const changed = accounts.filter((cell) => cell.storedPostings > 0n);
  const statements = [
    ...filled(MOVE_HEADS, [moved]),
    ...filled(CHECK_HEADS, [seen]),
    ...filled(ADD_ACCOUNTS, [fresh]),
    ...filled(WRITE_BOOKS, [changed, batch.postings, batch.events, batch.audits]),
    ...rowStatements(batch.rows),
    ...filled(PUT_ANSWERS, [[...batch.answers.values()]]),
  ];
  markSent(batch);
  return statements;
};
