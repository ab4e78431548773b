// The decisions of a group as SQL: a few set-based statements, sent at once. Every update names the version it read and counts its
// rows, so that a change by another process fails the group instead of being overwritten. Nothing here changes the batch.

import { parseInstant } from '../base/instant.ts';
import type { NamedStatement } from '../postgres/message-buffer.ts';
import { checkAssumptions } from './assumed.ts';
import type { AuditRow, Batch, EventRow, PostingRow } from './batch.ts';
import { type Column, texts } from './columnar.ts';
import { type CachedAccount, type CachedRow, isMoved, type RowCache } from './row-cache.ts';
import {
  type Form,
  insertInto,
  insertOf,
  marketplaceOf,
  rowValues,
  type Statement,
  selectRows,
  statement,
  valuesOf,
  type WriteFunction,
} from './statements.ts';
import type { AnswerRow } from './stored-answers.ts';
import { insertSql, replaceSql, rowJson, type Table, type TableRegistry, updateSql } from './tables.ts';

const SECONDS_LENGTH = '2026-11-15T09:30:00.'.length;
/** The form of formatInstant, which all times of commands have. */
const INSTANT_LENGTH = '2026-11-15T09:30:00.120000Z'.length;

let lastSeconds = ' ';
let lastSecondsMicros = 0;

/** The times of a group have the same second or few of them, so the last one is worth keeping. */
const micros = (iso: string | null): number => {
  if (iso?.length !== INSTANT_LENGTH || !iso.endsWith('Z')) return parseInstant(iso ?? '') ?? 0;
  if (!iso.startsWith(lastSeconds)) {
    lastSeconds = iso.slice(0, SECONDS_LENGTH);
    lastSecondsMicros = parseInstant(`${lastSeconds}0Z`) ?? 0;
  }
  return lastSecondsMicros + Number(iso.slice(SECONDS_LENGTH, -1));
};

const FRESH_ACCOUNTS: readonly Column<CachedAccount>[] = [
  ['id', 'text', (cached) => cached.account.id],
  ['side', 'text', (cached) => cached.account.side],
  ['currency', 'text', (cached) => cached.account.currency],
  ['user_id', 'text', (cached) => cached.account.userId],
  ['open', 'boolean', (cached) => cached.account.open],
  ['balance', 'bigint', (cached) => cached.balance],
  ['postings', 'bigint', (cached) => cached.postings],
  ['touched_at', 'timestamptz', (cached) => micros(cached.touchedAt)],
];

const CHANGED_ACCOUNTS: readonly Column<CachedAccount>[] = [
  ['id', 'text', (cached) => cached.account.id],
  ['balance', 'bigint', (cached) => cached.balance],
  ['postings', 'bigint', (cached) => cached.postings],
  ['postings_before', 'bigint', (cached) => cached.storedPostings],
  ['touched_at', 'timestamptz', (cached) => micros(cached.touchedAt)],
];

const POSTINGS: readonly Column<PostingRow>[] = [
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
  ['position', 'bigint', (row) => row.position],
  ['occurred_at', 'timestamptz', (row) => row.occurredAt],
  ['event_type', 'text', (row) => row.eventType],
  ['aggregate_type', 'text', (row) => row.aggregateType],
  ['aggregate_id', 'text', (row) => row.aggregateId],
  ['envelope', 'text', (row) => row.envelope],
];

const AUDITS: readonly Column<AuditRow>[] = [
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

const HEADS: readonly Column<RowCache>[] = [
  ['hash_before', 'text', ({ head }) => head.storedHash],
  ['event_position', 'bigint', ({ head }) => head.eventPosition],
  ['event_at', 'timestamptz', ({ head }) => head.eventAt],
  ['audit_seq', 'bigint', ({ head }) => head.auditSeq],
  ['audit_hash', 'text', ({ head }) => head.auditHash],
];

const ANSWERS: readonly Column<AnswerRow>[] = [
  ['key_hash', 'bytea', (row) => row.keyHash],
  ['fingerprint', 'bytea', (row) => row.fingerprint],
  ['status', 'integer', (row) => row.status],
  ['body', 'text', (row) => row.body],
  ['created_at', 'timestamptz', (row) => micros(row.createdAt)],
  ['expires_at', 'timestamptz', (row) => micros(row.expiresAt)],
];

const ADD_ACCOUNTS = statement<[CachedAccount]>('add-accounts', [insertInto('accounts', FRESH_ACCOUNTS)]);

/** The new values of a head. */
const headOf = (at: (column: string) => string): string =>
  ['event_position', 'event_at', 'audit_seq', 'audit_hash'].map((column) => `${column} = ${at(column)}`).join(', ');

// The first statement of every group: takes the row lock, and fails when the group was decided on an old state.
const MOVE_HEADS = statement<[RowCache]>('move-heads', [
  {
    columns: HEADS,
    sql: (given) => `update marketplaces t set ${headOf((column) => `${given.rows}.${column}`)}
      from ${given.from} where t.marketplace_id = ${marketplaceOf(given)} and t.audit_hash = ${given.rows}.hash_before`,
    row: (at) => `update marketplaces t set ${headOf(at)}
      where t.marketplace_id = $1 and t.audit_hash = ${at('hash_before')}`,
  },
]);

/** For a group that changed nothing: the state it was decided on must be the current one too. */
const CHECK_HEADS = statement<[RowCache]>('check-heads', [
  {
    columns: HEADS.slice(0, 1),
    sql: (given) => `select 1 from ${given.from} join marketplaces t
      on t.marketplace_id = ${marketplaceOf(given)} and t.audit_hash = ${given.rows}.hash_before`,
  },
]);

// Without statistics, a join by one constant marketplace would begin with all its accounts. The accounts are found by their ids instead,
// and each takes its values from the place of its id.
const CHANGE_ACCOUNTS_OF_ONE = (param: (column: string) => string): string => {
  const place = `array_position(${param('id')}, t.id)`;
  return `update accounts t set (balance, postings, touched_at) =
      (select (${param('balance')})[k.i], (${param('postings')})[k.i], (${param('touched_at')})[k.i] from (select ${place}) k (i))
    where t.marketplace_id = $1 and t.id = any(${param('id')}) and t.postings = (${param('postings_before')})[${place}]`;
};

const CHANGE_ACCOUNTS_OF_MANY = (
  rows: string,
): string => `update accounts t set balance = u.balance, postings = u.postings, touched_at = u.touched_at
    from ${rows} u where t.marketplace_id = u.marketplace_id and t.id = u.id and t.postings = u.postings_before`;

const WRITE_BOOKS = statement<[CachedAccount, PostingRow, EventRow, AuditRow]>('write-books', [
  {
    columns: CHANGED_ACCOUNTS,
    sql: ({ form, rows, param }) => (form === 'many' ? CHANGE_ACCOUNTS_OF_MANY(rows) : CHANGE_ACCOUNTS_OF_ONE(param)),
  },
  insertInto('postings', POSTINGS),
  insertInto('events', EVENTS),
  insertInto('audit_entries', AUDITS),
]);

// Only an expired answer may be replaced; any other one was given by another process.
const REPLACE_EXPIRED = `on conflict (marketplace_id, key_hash) do update set fingerprint = excluded.fingerprint,
    status = excluded.status, body = excluded.body, created_at = excluded.created_at, expires_at = excluded.expires_at
  where t.expires_at <= excluded.created_at`;

const ADD_ANSWERS = insertOf('idempotency_answers as t', ANSWERS);

const PUT_ANSWERS = statement<[AnswerRow]>('put-answers', [
  {
    columns: ANSWERS,
    sql: (given) => `${ADD_ANSWERS} ${selectRows(given)} ${REPLACE_EXPIRED}`,
    row: (at) => `${ADD_ANSWERS} ${rowValues(ANSWERS, at)} ${REPLACE_EXPIRED}`,
  },
]);

/** What a distributed database carries out on the machine of the marketplace. */
export const WRITE_FUNCTIONS: readonly WriteFunction[] = [
  ...[MOVE_HEADS, CHECK_HEADS, ADD_ACCOUNTS, WRITE_BOOKS, PUT_ANSWERS].map(({ called }) => called),
];

const filled =
  (form: Form) =>
  <Rows extends { readonly marketplaceId: string }[]>(
    of: Statement<Rows>,
    sets: { readonly [I in keyof Rows]: readonly Rows[I][] },
  ): NamedStatement[] => {
    if (sets.every((rows) => rows.length === 0)) return [];
    return [{ name: `${of.name}-${form}`, text: of.texts[form], values: valuesOf(of, { form, sets }) }];
  };

type Rows = { readonly marketplaceId: string; readonly rows: readonly CachedRow[] };

/** The rows as JSON, with the version that was read or the next one. */
const jsonOf = (table: Table, { rows, step }: { rows: readonly CachedRow[]; step: 0 | 1 }): string =>
  JSON.stringify(rows.map(({ storedVersion, row }) => rowJson(table, { version: storedVersion + step, row })));

const insert = (table: Table, { marketplaceId, rows }: Rows): NamedStatement => ({
  name: `insert-${table.name}`,
  text: insertSql(table),
  values: [marketplaceId, jsonOf(table, { rows, step: 1 })],
});

const replace = (table: Table, { marketplaceId, rows }: Rows): NamedStatement => {
  const versions = rows.reduce((sum, { storedVersion }) => sum + storedVersion + 1, 0);
  return {
    name: `replace-${table.name}`,
    text: replaceSql(table),
    values: [marketplaceId, jsonOf(table, { rows, step: 0 }), rows.length, versions],
  };
};

/** For a distributed database, which plans every statement for its values. */
const update = (table: Table, { marketplaceId, rows }: Rows): NamedStatement => ({
  name: `update-${table.name}`,
  text: updateSql(table),
  values: [marketplaceId, jsonOf(table, { rows, step: 1 }), texts(rows.map(({ row }) => (row as { id: string }).id))],
});

type Changed = { readonly rows: readonly CachedRow[]; readonly isDistributed: boolean };

/** Of one marketplace in one table. */
const tableStatements = (table: Table, { rows, isDistributed }: Changed): NamedStatement[] => {
  const { marketplaceId } = rows[0]!;
  const known = rows.filter(({ storedVersion }) => storedVersion > 0);
  const fresh = rows.filter(({ storedVersion }) => storedVersion === 0);
  const statements: NamedStatement[] = [];
  // Updates first: a known row may give up a unique value that a new row takes.
  if (known.length > 0) statements.push((isDistributed ? update : replace)(table, { marketplaceId, rows: known }));
  if (fresh.length > 0) statements.push(insert(table, { marketplaceId, rows: fresh }));
  return statements;
};

type Writing = { readonly tables: TableRegistry; readonly isDistributed: boolean };

const rowStatements = (changed: ReadonlySet<CachedRow>, { tables, isDistributed }: Writing): NamedStatement[] => {
  if (changed.size === 0) return [];
  const byTable = Map.groupBy(changed, (cached) => cached.table);
  // Always in the order of the registry, so that two groups write their tables in the same order.
  return [...tables.values()].flatMap((table) => {
    const ofMarketplaces = Map.groupBy(byTable.get(table.name) ?? [], ({ marketplaceId }) => marketplaceId);
    return [...ofMarketplaces.values()].flatMap((rows) => tableStatements(table, { rows, isDistributed }));
  });
};

/** The postings of every group must sum to zero, whatever the code above them did. */
const assertBalanced = (postings: readonly PostingRow[]): void => {
  let sum = 0n;
  for (const posting of postings) sum += posting.amount;
  if (sum !== 0n) throw new Error(`the group's postings sum to ${sum}, not to zero`);
};

/** The statements of the batch, to be sent at once in one transaction. Throws when the batch cannot be written. */
export const write = (batch: Batch, { tables, isDistributed }: Writing): NamedStatement[] => {
  assertBalanced(batch.postings);
  const caches = [...batch.caches].sort((one, other) => (one.marketplaceId < other.marketplaceId ? -1 : 1));
  const put = filled(isDistributed ? 'function' : caches.length === 1 ? 'one' : 'many');
  const moved = caches.filter(isMoved);
  const seen = caches.filter((cache) => !isMoved(cache));
  const accounts = [...batch.accounts];
  const fresh = accounts.filter((cached) => cached.storedPostings === 0n);
  const changed = accounts.filter((cached) => cached.storedPostings > 0n);
  return [
    ...put(MOVE_HEADS, [moved]),
    ...put(CHECK_HEADS, [seen]),
    // Before anything is added.
    ...checkAssumptions(batch.assumptions, batch),
    ...put(ADD_ACCOUNTS, [fresh]),
    ...put(WRITE_BOOKS, [changed, batch.postings, batch.events, batch.audits]),
    ...rowStatements(batch.rows, { tables, isDistributed }),
    ...put(PUT_ANSWERS, [[...batch.answers.values()]]),
  ];
};
