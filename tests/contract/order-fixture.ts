// A server with a buyer who has money, a seller, and orders between them. A refusal must leave nothing behind, so that is
// checked wherever one is asked for.

import assert from 'node:assert/strict';
import type { Env } from '../../server/src/config/config.ts';
import type { Hooks } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import { type Answer, type Ask, startApp, type TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows and answers are read like JavaScript would
export type Row = any;

export type Refusal = { status: number; code: string; details: Row };

export type Shop = {
  readonly app: TestApp;
  readonly buyerId: string;
  readonly sellerId: string;
  /** A call that must succeed: what is inside the envelope. */
  done(request: string, ask?: Ask): Promise<Row>;
  /** A new order of 100.00, or what is asked for. */
  order(body?: Record<string, unknown>): Promise<Row>;
  refused(request: string, ask?: Ask): Promise<Refusal>;
  /** Many refusals that together leave no trace: every row is compared once for all of them. */
  allRefused(work: (refused: Shop['refused']) => Promise<void>): Promise<void>;
  /** Available and reserved of the buyer, or of somebody else. */
  figures(userId?: string): Promise<string[]>;
};

const OF_ORDERS = ['orders', 'milestones', 'escrows', 'disputes', 'operations', 'reservations', 'idempotency_answers'];
const OF_ALL = [...OF_ORDERS, 'accounts', 'postings', 'events', 'audit_entries'];

/** Every row of every table that these routes can write; beside the simulators others write too, so only those of orders. */
const everything = async (app: TestApp): Promise<Row> => {
  const texts = (app.sandboxUrl === null ? OF_ALL : OF_ORDERS).map(
    (table) => `(select coalesce(array_agg(r::text order by r::text), '{}') from ${table} r) as ${table}`,
  );
  return (await app.sql(`select ${texts.join(', ')}`))[0];
};

const assertNoTrace = async <Result>(app: TestApp, work: () => Promise<Result>): Promise<Result> => {
  const before = await everything(app);
  const result = await work();
  assert.deepEqual(await everything(app), before, 'a refusal leaves no trace');
  return result;
};

export const refusalIn = async (app: TestApp, ask: () => Promise<Answer>): Promise<Refusal> =>
  readRefusal(await assertNoTrace(app, ask));

const readRefusal = (answer: Answer): Refusal => {
  assert.ok(answer.status >= 400, answer.text);
  const { code, message, details } = answer.body.error;
  const { requestId, ...rest } = details;
  assert.ok(message.length > 10);
  assert.equal(requestId, answer.headers.get('x-request-id'));
  return { status: answer.status, code, details: rest };
};

type Opening = {
  readonly available?: string;
  /** With settings, even with none, it is a server of its own: for who does something to the simulators, too. */
  readonly env?: Env;
  readonly sandbox?: boolean;
};

export const openShop = async (t: Hooks, options: Opening = {}): Promise<Shop> => {
  const { available = '500.00', env, sandbox = false } = options;
  return shopIn(env ? await startApp(t, { sandbox, env }) : await openApp(t, { sandbox }), { available });
};

/** Two more users, in the marketplace of the key. */
export const shopIn = async (app: TestApp, { available, key }: { available?: string; key?: string }): Promise<Shop> => {
  const as = key === undefined ? {} : { key };
  const buyerId = await app.aUser({ ...as, ...(available === undefined ? {} : { available }) });
  const sellerId = await app.aUser(as);

  const done = async (request: string, ask: Ask = {}): Promise<Row> => {
    const answer = await app.call(request, { ...as, ...ask });
    assert.ok(answer.status === 200 || answer.status === 201, answer.text);
    assert.equal(answer.body.data.success, true);
    return answer.body.data.data;
  };

  return {
    app,
    buyerId,
    sellerId,
    done,
    order: (body = {}) => done('POST /orders', { body: { buyerId, sellerId, amount: '100.00', ...body } }),
    refused: (request, ask = {}) => refusalIn(app, () => app.call(request, { ...as, ...ask })),
    allRefused: (work) =>
      assertNoTrace(app, () =>
        work(async (request, ask = {}) => readRefusal(await app.call(request, { ...as, ...ask }))),
      ),
    async figures(userId = buyerId) {
      const { data } = (await app.call(`GET /users/${userId}/balance`, as)).body;
      return [data.available, data.reserved];
    },
  };
};

const PENDING_WALLETS = `select id from wallets where user_id = any($1) and status = 'PENDING'`;

/** An order of 100.00 whose money is in escrow; needs the simulators. */
export const fundedOrder = async (shop: Shop, body: Record<string, unknown> = {}): Promise<Row> => {
  const { app, order, done, buyerId, sellerId } = shop;
  const pending = () => app.sql(PENDING_WALLETS, [[buyerId, sellerId]]);
  // A busy machine may need longer for a new wallet than a request waits.
  await until(async () => (await pending()).length === 0, 'both wallets are active');
  const { id } = await order(body);
  for (const step of ['reserve', 'escrow', 'escrow/fund']) await done(`POST /orders/${id}/${step}`);
  return done(`GET /orders/${id}`);
};

const COMPLAINT = { openedBy: 'BUYER', reason: 'NOT_DELIVERED' };

/** A dispute about a new order; needs the simulators. */
export const disputeIn = async (shop: Shop, body: Record<string, unknown> = {}): Promise<Row> => {
  const { id: orderId } = await fundedOrder(shop);
  return shop.done(`POST /orders/${orderId}/resolution/dispute`, { body: { orderId, ...COMPLAINT, ...body } });
};

/** Two milestones that add up to 100.00. */
export const TWO_MILESTONES = [
  { ref: 'draft', title: 'First draft', amount: '40.00' },
  { ref: 'final', title: 'Final version', amount: '60.00' },
];

/** An id of the kind that nobody has. */
export const NOBODY = { order: 'ord_01ARZ3NDEKTSV4RRFFQ69G5FAV', dispute: 'dsp_01ARZ3NDEKTSV4RRFFQ69G5FAV' };

export const INVALID_STATE = (currentState: string, allowedActions: string[]): Refusal => ({
  status: 400,
  code: 'INVALID_STATE',
  details: { currentState, allowedActions },
});

/** All events, oldest first. */
export const eventsOf = async (app: TestApp): Promise<Row[]> =>
  (await app.sql('select envelope from events order by marketplace_id, position')).map((row) =>
    JSON.parse(row.envelope),
  );
