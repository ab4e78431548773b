// A server with one user, and the ways in which balance tests look at what a call did: the answer, the figures, and
// everything it left in the database. A refusal must leave nothing, so that is checked wherever one is asked for.

import assert from 'node:assert/strict';
import type { Hooks } from '../../tools/test-database/afterwards.ts';
import type { Answer, Ask, TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows are read like JavaScript would, and the assertions are the types
type Row = any;

export type Changes = { answer: Answer; events: Row[]; entries: Row[]; postings: Row[] };
export type Refusal = { status: number; code: string; details: Row };

export type UserBalance = {
  readonly app: TestApp;
  readonly userId: string;
  /** Id of the key that calls are made with. */
  readonly actorId: string;
  move(verb: string, body?: unknown, ask?: Ask): Promise<Answer>;
  /** The same, for a call that must succeed. */
  done(verb: string, body?: unknown, ask?: Ask): Promise<Answer>;
  refused(verb: string, body?: unknown, ask?: Ask): Promise<Refusal>;
  /** Many refusals that together leave no trace: every row is compared once for all of them. */
  allRefused(work: (refused: UserBalance['refused']) => Promise<void>): Promise<void>;
  changes(verb: string, body?: unknown): Promise<Changes>;
  /** Available, reserved, total. */
  figures(currency?: string): Promise<string[]>;
  /** What each order of the user still holds; '' is without an order. */
  held(currency?: string): Promise<Record<string, string>>;
};

export const openUserBalance = async (t: Hooks, available?: string): Promise<UserBalance> =>
  userBalanceIn(await openApp(t), available);

/** For a test that does something to the server or to its tables, and therefore has its own. */
export const userBalanceIn = async (app: TestApp, available?: string): Promise<UserBalance> => {
  const userId = await app.aUser(available === undefined ? {} : { available });
  const actorId = (await app.call('GET /auth/me')).body.data.apiKeyId;

  const move = (verb: string, body?: unknown, ask: Ask = {}) =>
    app.call(`POST /users/${userId}/balance/${verb}`, { ...ask, ...(body === undefined ? {} : { body }) });

  return {
    app,
    userId,
    actorId,
    move,
    async done(verb, body, ask) {
      const answer = await move(verb, body, ask);
      assert.equal(answer.status, 200, answer.text);
      return answer;
    },
    refused: (verb, body, ask) => refusalOf(app, () => move(verb, body, ask)),
    allRefused: (work) =>
      assertNoTrace(app, () => work(async (verb, body, ask) => readRefusal(await move(verb, body, ask)))),
    async changes(verb, body) {
      const before = await writtenIn(app);
      const answer = await move(verb, body);
      assert.equal(answer.status, 200, answer.text);
      const after = await writtenIn(app);
      for (const { metadata } of after.events) assert.equal(metadata.marketplaceId, app.marketplaceId);
      const added = (what: keyof typeof after) => after[what].slice(before[what].length);
      return { answer, events: added('events'), entries: added('entries'), postings: added('postings') };
    },
    async figures(currency = 'USD') {
      const { body } = await app.call(`GET /users/${userId}/balance?currency=${currency}`);
      assert.equal(body.data.currency, currency);
      return [body.data.available, body.data.reserved, body.data.total];
    },
    async held(currency = 'USD') {
      const rows = await app.sql(
        `select order_ref, (remaining / 100000)::text as cents from reservations
         where user_id = $1 and currency = $2 and remaining > 0 order by order_ref`,
        [userId, currency],
      );
      return Object.fromEntries(rows.map((row) => [row.order_ref, row.cents]));
    },
  };
};

/** The refusal without the ids that differ each time, once it is sure that it left no trace. */
export const refusalOf = async (app: TestApp, ask: () => Promise<Answer>): Promise<Refusal> =>
  readRefusal(await assertNoTrace(app, ask));

/** Whatever is refused in the meantime, every row of every table that a command can write is as it was before. */
export const assertNoTrace = async <Result>(app: TestApp, work: () => Promise<Result>): Promise<Result> => {
  const before = await everything(app);
  const result = await work();
  assert.deepEqual(await everything(app), before, 'a refusal leaves no trace');
  return result;
};

export const readRefusal = (answer: Answer): Refusal => {
  assert.ok(answer.status >= 400, answer.text);
  const { code, message, details } = answer.body.error;
  const { requestId, ...rest } = details;
  assert.ok(message.length > 10);
  assert.equal(requestId, answer.headers.get('x-request-id'));
  return { status: answer.status, code, details: rest };
};

/** An answer's balance without the time. */
export const shown = ({ body }: Answer): Row => {
  const { updatedAt, ...rest } = body.data;
  assert.match(updatedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  return rest;
};

/** An event as it must look, but for the ids that differ each time. */
export const payloadOf = (event: Row, { answer, userId }: { answer: Answer; userId: string }): Row => {
  assert.match(event.eventId, /^evt_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.deepEqual([event.aggregateType, event.aggregateId], ['Balance', userId]);
  const { causationId, position, marketplaceId, ...metadata } = event.metadata;
  assert.ok(causationId && marketplaceId);
  assert.ok(position > 0);
  const correlationId = answer.headers.get('x-request-id');
  assert.deepEqual(metadata, { correlationId, userId });
  return event.payload;
};

const writtenIn = async (app: TestApp) => ({
  events: (await app.sql('select envelope from events order by marketplace_id, position')).map((row) =>
    JSON.parse(row.envelope),
  ),
  entries: (
    await app.sql(`select action, resource_type, resource_id, payload_before, payload_after, actor_type, actor_id,
      result, correlation_id from audit_entries order by marketplace_id, seq`)
  ).map((row) => ({
    ...row,
    payload_before: JSON.parse(row.payload_before),
    payload_after: JSON.parse(row.payload_after),
  })),
  postings: await app.sql(`select account_id, counter_account_id, (amount / 100000)::text as cents, move, reference,
    description from postings order by command_id, account_id`),
});

const TABLES = ['accounts', 'reservations', 'users', 'postings', 'events', 'audit_entries', 'idempotency_answers'];

/** Every row of every table that a command can write. */
const everything = async (app: TestApp): Promise<Row> => {
  const texts = TABLES.map(
    (table) => `(select coalesce(array_agg(r::text order by r::text), '{}') from ${table} r) as ${table}`,
  );
  return (await app.sql(`select ${texts.join(', ')}`))[0];
};
