// Writes what a group decided: a handful of set-based statements, sent at once. Every update names the version it read
// and counts its rows, so that a change behind our back fails the group instead of being overwritten.

import type pg from 'pg';
import { formatInstant } from '../domain/instant.ts';
import type { GroupState, RowCell } from './group-state.ts';
import { insertSql, snake, TABLES, type TableName, updateSql } from './tables.ts';

const INSERT_ACCOUNTS = `insert into accounts
    (marketplace_id, id, side, currency, user_id, open, balance, postings, touched_at)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::bigint[],
    $8::bigint[], $9::timestamptz[])`;

const UPDATE_ACCOUNTS = `with w as (
    update accounts a set balance = u.balance, postings = u.postings, touched_at = u.touched_at
    from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::timestamptz[])
      u (marketplace_id, id, balance, postings, postings_before, touched_at)
    where a.marketplace_id = u.marketplace_id and a.id = u.id and a.postings = u.postings_before
    returning 1
  ) select require_rows((select count(*) from w), $7, 'accounts')`;

const INSERT_POSTINGS = `insert into postings
    (marketplace_id, account_id, seq, amount, balance_after, counter_account_id, move, reference, description,
     command_id, posted_at)
  select * from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[],
    $8::text[], $9::text[], $10::text[], $11::timestamptz[])`;

const INSERT_EVENTS = `insert into events
    (marketplace_id, position, occurred_at, event_type, aggregate_type, aggregate_id, envelope)
  select * from unnest($1::text[], $2::bigint[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[])`;

const INSERT_AUDITS = `insert into audit_entries
    (marketplace_id, seq, id, occurred_at, action, resource_type, resource_id, user_id, payload_before, payload_after,
     actor_type, actor_id, result, correlation_id, hash)
  select * from unnest($1::text[], $2::bigint[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[],
    $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[])`;

const UPDATE_HEADS = `with w as (
    update marketplaces m set event_position = u.event_position, event_at = u.event_at, audit_seq = u.audit_seq,
      audit_hash = u.audit_hash
    from unnest($1::text[], $2::bigint[], $3::timestamptz[], $4::bigint[], $5::text[])
      u (marketplace_id, event_position, event_at, audit_seq, audit_hash)
    where m.marketplace_id = u.marketplace_id
    returning 1
  ) select require_rows((select count(*) from w), $6, 'marketplaces')`;

const PUT_ANSWERS = `insert into idempotency_answers (marketplace_id, key_hash, fingerprint, status, body, expires_at)
  select * from unnest($1::text[], $2::bytea[], $3::bytea[], $4::integer[], $5::text[], $6::timestamptz[])
  on conflict (marketplace_id, key_hash) do update
    set fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
        expires_at = excluded.expires_at`;

/** The columns of some rows, each as one array: how a statement takes many rows as a fixed number of parameters. */
const columns = <Row>(rows: readonly Row[], pick: readonly ((row: Row) => unknown)[]): unknown[][] =>
  pick.map((column) => rows.map(column));

const writeAccounts = (client: pg.Client, state: GroupState): Promise<unknown>[] => {
  const touched = [...state.accounts.values()].filter((cell) => cell.postings !== cell.storedPostings);
  const fresh = touched.filter((cell) => cell.storedPostings === 0n);
  const known = touched.filter((cell) => cell.storedPostings > 0n);
  const sent: Promise<unknown>[] = [];
  if (fresh.length > 0) {
    const values = columns(fresh, [
      (cell) => cell.marketplaceId,
      (cell) => cell.account.id,
      (cell) => cell.account.side,
      (cell) => cell.account.currency,
      (cell) => cell.account.userId,
      (cell) => cell.account.open,
      (cell) => cell.balance,
      (cell) => cell.postings,
      (cell) => cell.touchedAt,
    ]);
    sent.push(client.query({ name: 'insert-accounts', text: INSERT_ACCOUNTS, values }));
  }
  if (known.length > 0) {
    const values = columns(known, [
      (cell) => cell.marketplaceId,
      (cell) => cell.account.id,
      (cell) => cell.balance,
      (cell) => cell.postings,
      (cell) => cell.storedPostings,
      (cell) => cell.touchedAt,
    ]);
    sent.push(client.query({ name: 'update-accounts', text: UPDATE_ACCOUNTS, values: [...values, known.length] }));
  }
  return sent;
};

const toJson = (cell: RowCell): Record<string, unknown> => {
  const row: Record<string, unknown> = { marketplace_id: cell.marketplaceId, version: cell.storedVersion + 1 };
  for (const column of TABLES[cell.table].columns) {
    const value = (cell.row as Record<string, unknown>)[column];
    row[snake(column)] = typeof value === 'bigint' ? String(value) : value;
  }
  return row;
};

const writeRows = (client: pg.Client, state: GroupState): Promise<unknown>[] => {
  const dirty = [...state.rows.values()].filter((cell) => cell.dirty);
  if (dirty.length === 0) return [];
  const sent: Promise<unknown>[] = [];
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

const writeAnswers = (client: pg.Client, state: GroupState): Promise<unknown>[] => {
  const dirty = [...state.answers.values()].filter((cell) => cell.dirty);
  if (dirty.length === 0) return [];
  const values = columns(dirty, [
    (cell) => cell.marketplaceId,
    (cell) => cell.keyHash,
    (cell) => cell.fingerprint,
    (cell) => cell.status,
    (cell) => cell.body,
    (cell) => cell.expiresAt,
  ]);
  return [client.query({ name: 'put-answers', text: PUT_ANSWERS, values })];
};

const writeTrail = (client: pg.Client, state: GroupState): Promise<unknown>[] => {
  const sent: Promise<unknown>[] = [];
  if (state.postings.length > 0) {
    const values = columns(state.postings, [
      (row) => row.marketplaceId,
      (row) => row.accountId,
      (row) => row.seq,
      (row) => row.amount,
      (row) => row.balanceAfter,
      (row) => row.counterAccountId,
      (row) => row.move,
      (row) => row.reference,
      (row) => row.description,
      (row) => row.commandId,
      (row) => row.postedAt,
    ]);
    sent.push(client.query({ name: 'insert-postings', text: INSERT_POSTINGS, values }));
  }
  if (state.events.length > 0) {
    const values = columns(state.events, [
      (row) => row.marketplaceId,
      (row) => row.position,
      (row) => row.occurredAt,
      (row) => row.eventType,
      (row) => row.aggregateType,
      (row) => row.aggregateId,
      (row) => row.envelope,
    ]);
    sent.push(client.query({ name: 'insert-events', text: INSERT_EVENTS, values }));
  }
  if (state.audits.length > 0) {
    const values = columns(state.audits, [
      (row) => row.marketplaceId,
      (row) => row.seq,
      (row) => row.id,
      (row) => row.occurredAt,
      (row) => row.action,
      (row) => row.resourceType,
      (row) => row.resourceId,
      (row) => row.userId,
      (row) => row.payloadBefore,
      (row) => row.payloadAfter,
      (row) => row.actorType,
      (row) => row.actorId,
      (row) => row.result,
      (row) => row.correlationId,
      (row) => row.hash,
    ]);
    sent.push(client.query({ name: 'insert-audits', text: INSERT_AUDITS, values }));
  }
  if (state.events.length + state.audits.length > 0) {
    const heads = [...state.heads];
    const values = columns(heads, [
      ([marketplaceId]) => marketplaceId,
      ([, head]) => head.eventPosition,
      ([, head]) => formatInstant(head.eventAt),
      ([, head]) => head.auditSeq,
      ([, head]) => head.auditHash,
    ]);
    sent.push(client.query({ name: 'update-heads', text: UPDATE_HEADS, values: [...values, heads.length] }));
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
export const write = (client: pg.Client, state: GroupState): Promise<unknown>[] => {
  assertBalanced(state);
  return [
    ...writeAccounts(client, state),
    ...writeRows(client, state),
    ...writeTrail(client, state),
    ...writeAnswers(client, state),
  ];
};
