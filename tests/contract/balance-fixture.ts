// A server with one user, and what the balance tests read after a request: the answer, the balance, and every row that the
// request left in the database.

import assert from 'node:assert/strict';
import type { Hooks } from '../../tools/test-database/afterwards.ts';
import type { Answer, Ask, TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { assertNoTrace, type Refusal, readRefusal, refusalOf } from './refusals.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows are read like JavaScript would, and the assertions are the types
type Row = any;

export type Changes = { answer: Answer; events: Row[]; entries: Row[]; postings: Row[] };

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
