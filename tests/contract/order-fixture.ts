// A buyer with money, a seller and orders between them, for tests that send many requests about these orders.

import type { Env } from '../../server/src/config/config.ts';
import type { Hooks } from '../../tools/test-database/afterwards.ts';
import { type Ask, startApp, type TestApp } from '../support/app.ts';
import { builderOf, type NewDispute, type NewOrder } from '../support/builder.ts';
import { openApp } from '../support/shared-app.ts';
import { assertNoTrace, type Refusal, readRefusal, refusalOf } from './refusals.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows and answers are read like JavaScript would
export type Row = any;

export type Trade = {
  readonly app: TestApp;
  readonly buyerId: string;
  readonly sellerId: string;
  /** A request that must succeed: the content of the envelope. */
  done(request: string, ask?: Ask): Promise<Row>;
  /** A new order of 100.00 between the two, unless other fields are given. */
  anOrder(wanted?: NewOrder): Promise<Row>;
  /** A dispute about a new order. Needs the simulators. */
  aDispute(wanted?: NewDispute): Promise<Row>;
  refused(request: string, ask?: Ask): Promise<Refusal>;
  /** Many refusals that leave no trace: every row is compared once for all of them. */
  allRefused(work: (refused: Trade['refused']) => Promise<void>): Promise<void>;
  /** Available and reserved of the buyer, or of another user. */
  figures(userId?: string): Promise<string[]>;
};

type Opening = {
  readonly available?: string;
  /** With settings, even with none, the server is the test's own. A test that changes the simulators needs one. */
  readonly env?: Env;
  readonly sandbox?: boolean;
};

export const openTrade = async (t: Hooks, options: Opening = {}): Promise<Trade> => {
  const { available = '500.00', env, sandbox = false } = options;
  return tradeIn(env ? await startApp(t, { sandbox, env }) : await openApp(t, { sandbox }), { available });
};

/** Two new users, in the marketplace of the key. */
export const tradeIn = async (
  app: TestApp,
  { available, key }: { available?: string; key?: string },
): Promise<Trade> => {
  const as = key === undefined ? {} : { key };
  const builder = builderOf(app, as);
  const buyerId = await app.aUser({ ...as, ...(available === undefined ? {} : { available }) });
  const sellerId = await app.aUser(as);
  const between = { buyer: buyerId, seller: sellerId };
  const call = (request: string, ask: Ask = {}) => app.call(request, { ...as, ...ask });

  return {
    app,
    buyerId,
    sellerId,
    done: builder.done,
    anOrder: (wanted = {}) => builder.anOrder({ between, ...wanted }),
    aDispute: (wanted = {}) => builder.aDispute({ between, ...wanted }),
    refused: (request, ask) => refusalOf(app, () => call(request, ask)),
    allRefused: (work) => assertNoTrace(app, () => work(async (request, ask) => readRefusal(await call(request, ask)))),
    async figures(userId = buyerId) {
      const { available: left, reserved } = await builder.balance(userId);
      return [left, reserved];
    },
  };
};

/** Two milestones that add up to 100.00. */
export const TWO_MILESTONES = [
  { ref: 'draft', title: 'First draft', amount: '40.00' },
  { ref: 'final', title: 'Final version', amount: '60.00' },
];

/** Ids that no record has. */
export const UNKNOWN = { order: 'ord_01ARZ3NDEKTSV4RRFFQ69G5FAV', dispute: 'dsp_01ARZ3NDEKTSV4RRFFQ69G5FAV' };

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
