// Requests of many clients for one order, all at once and through one server or two, and their allowed outcomes.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Env } from '../../server/src/config/config.ts';
import { type Answer, codeOf, startApp, type TestApp } from '../support/app.ts';
import type { NewOrder, Parties } from '../support/builder.ts';
import { type OrderFixture, openOrders } from '../support/order-fixture.ts';
import { shuffled } from './answers.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
export type Any = any;

export type OrderRequest = { readonly name: string; readonly request: string; readonly body?: object };

export type RacedOrder = { readonly order: Any; readonly who: Parties };

type AnsweredRequest = OrderRequest & { readonly answer: Answer };

/** Another server on the same database and the same simulators. */
export const startSecondServer = async (
  t: TestContext,
  { app, simulator, ...more }: Pick<OrderFixture, 'app' | 'simulator'> & { readonly env?: Env },
): Promise<TestApp> => {
  const { escrowFactories } = await simulator('GET /state');
  const env = {
    ESCROW_PROVIDER_URL: `${app.sandboxUrl}/escrow-provider`,
    ESCROW_PROVIDER_RATE_PER_MINUTE: '0',
    LEDGER_RATE_PER_MINUTE: '0',
    ESCROW_FACTORY_SINGLE: escrowFactories['single-release'],
    ESCROW_FACTORY_MULTI: escrowFactories['multi-release'],
    LEDGER_URL: `${app.sandboxUrl}/ledger`,
    ...more.env,
  };
  return startApp(t, { connection: app.connection, env });
};

/** Two servers on one database, for this test only. */
export const openTwoServers = async (t: TestContext): Promise<{ fixture: OrderFixture; apps: TestApp[] }> => {
  const fixture = await openOrders(t);
  return { fixture, apps: [fixture.app, await startSecondServer(t, fixture)] };
};

/** Sends all requests at once, to the servers in turn. Their order is random and the same in every run. */
export const sendAll = (
  { apps, random }: { apps: readonly TestApp[]; random: () => number },
  requests: readonly OrderRequest[],
): Promise<AnsweredRequest[]> =>
  Promise.all(
    shuffled(requests, random).map(async (one, n) => {
      const answer = await apps[n % apps.length]!.call(one.request, one.body ? { body: one.body } : {});
      return { ...one, answer };
    }),
  );

export const times = (count: number, requests: readonly OrderRequest[]): OrderRequest[] =>
  requests.flatMap((one) => Array.from({ length: count }, () => one));

export const succeeded = (answered: readonly AnsweredRequest[]): string[] =>
  answered.filter(({ answer }) => answer.status < 300).map(({ name }) => name);

/** Every refused request got one of these codes. */
export const assertOnlyRefused = (answered: readonly AnsweredRequest[], codes: readonly string[]): void => {
  for (const { name, answer } of answered) {
    if (answer.status >= 300) assert.ok(codes.includes(codeOf(answer)), `${name}: ${answer.text}`);
  }
};

export const settlementsOf = (orderId: string): OrderRequest[] => [
  { name: 'release', request: `POST /orders/${orderId}/resolution/release` },
  { name: 'refund', request: `POST /orders/${orderId}/resolution/refund`, body: { reason: 'late' } },
  {
    name: 'dispute',
    request: `POST /orders/${orderId}/resolution/dispute`,
    body: { orderId, openedBy: 'SELLER', reason: 'OTHER' },
  },
  { name: 'cancel', request: `POST /orders/${orderId}/cancel` },
];

const CLOSED = 'order.closed';

/** The final state of the order and the balances of its parties, by the successful request. */
const COURSES: Readonly<Record<string, { end: readonly string[]; events: readonly string[] }>> = {
  release: {
    end: ['CLOSED', 'RELEASED', '900.00', '95.00'],
    events: ['order.release_requested', 'escrow.released', 'balance.credited', 'order.released', CLOSED],
  },
  refund: {
    end: ['CLOSED', 'REFUNDED', '1000.00', '0.00'],
    events: ['order.refund_requested', 'escrow.refunded', 'balance.credited', 'order.refunded', CLOSED],
  },
  dispute: { end: ['DISPUTED', 'DISPUTED', '900.00', '0.00'], events: ['dispute.opened', 'order.disputed'] },
};

export const assertSettledBy = async (
  fixture: OrderFixture,
  { order, who, winner }: RacedOrder & { winner: string },
): Promise<void> => {
  const { end, events } = COURSES[winner]!;
  const { status, escrow } = await fixture.get(order.id);
  const buyer = await fixture.balance(who.buyer);
  const seller = await fixture.balance(who.seller);
  assert.deepEqual([status, escrow.status, buyer.available, seller.available], end);
  const all = await fixture.eventsOf(order.id);
  assert.deepEqual(all.slice(all.indexOf('order.in_progress') + 1), events);
};

/** `count` orders, each with its own buyer and seller. */
export const prepare = async (
  fixture: OrderFixture,
  { count, at }: { count: number; at: NonNullable<NewOrder['at']> },
): Promise<RacedOrder[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const who = await fixture.parties();
      return { who, order: await fixture.anOrder({ at, between: who }) };
    }),
  );
