// Refusals of the API. A refusal must leave nothing in the database, so every row is compared before and after.

import assert from 'node:assert/strict';
import type { Answer, TestApp } from '../support/app.ts';

// biome-ignore lint/suspicious/noExplicitAny: details are read like JavaScript would, and the assertions are the types
export type Refusal = { status: number; code: string; details: any };

const ORDER_TABLES = [
  'orders',
  'milestones',
  'escrows',
  'disputes',
  'operations',
  'reservations',
  'idempotency_answers',
];
const ALL_TABLES = [...ORDER_TABLES, 'accounts', 'users', 'postings', 'events', 'audit_entries', 'day_counts'];

/** With simulators the ledger jobs write at any time, so only the tables of orders are compared. */
const readRows = async (app: TestApp): Promise<unknown> => {
  const tables = app.sandboxUrl === null ? ALL_TABLES : ORDER_TABLES;
  const columns = tables.map(
    (table) => `(select coalesce(array_agg(r::text order by r::text), '{}') from ${table} r) as ${table}`,
  );
  return (await app.sql(`select ${columns.join(', ')}`))[0];
};

/** Every row of the tables that commands write is the same before and after the work. */
export const assertNoTrace = async <Result>(app: TestApp, work: () => Promise<Result>): Promise<Result> => {
  const before = await readRows(app);
  const result = await work();
  assert.deepEqual(await readRows(app), before, 'a refusal leaves no trace');
  return result;
};

/** The refusal without the ids that differ in each answer. */
export const readRefusal = (answer: Answer): Refusal => {
  assert.ok(answer.status >= 400, answer.text);
  const { code, message, details } = answer.body.error;
  const { requestId, docUrl, ...rest } = details;
  assert.equal(docUrl, `/docs/errors#${code}`);
  assert.ok(message.length > 10);
  assert.equal(requestId, answer.headers.get('x-request-id'));
  return { status: answer.status, code, details: rest };
};

/** The refusal of a request that left no trace. */
export const refusalOf = async (app: TestApp, send: () => Promise<Answer>): Promise<Refusal> =>
  readRefusal(await assertNoTrace(app, send));
