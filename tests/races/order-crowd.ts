// Clients around one order: what is asked of it, all at once and through one server or two, and how that may end.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Answer, codeOf, startApp, type TestApp } from '../support/app.ts';
import type { NewOrder, Parties } from '../support/builder.ts';
import { type OrderFixture, openOrders } from '../support/order-fixture.ts';
import { shuffled } from './crowd.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
export type Any = any;

export type Wish = { readonly name: string; readonly request: string; readonly body?: object };

export type Lived = { readonly order: Any; readonly who: Parties };

type Heard = Wish & { readonly answer: Answer };

/** Another server on the same database and the same simulators. */
export const startBeside = async (t: TestContext, { app, simulator }: OrderFixture): Promise<TestApp> => {
  const { escrowFactories } = await simulator('GET /state');
  const env = {
    ESCROW_PROVIDER_URL: `${app.sandboxUrl}/escrow-provider`,
    ESCROW_PROVIDER_RATE_PER_MINUTE: '0',
    ESCROW_FACTORY_SINGLE: escrowFactories['single-release'],
    ESCROW_FACTORY_MULTI: escrowFactories['multi-release'],
    LEDGER_URL: `${app.sandboxUrl}/ledger`,
  };
  return startApp(t, { connection: app.connection, env });
};

/** Two servers of its own on one database. */
export const openTwoServers = async (t: TestContext): Promise<{ fixture: OrderFixture; apps: TestApp[] }> => {
  const fixture = await openOrders(t);
  return { fixture, apps: [fixture.app, await startBeside(t, fixture)] };
};

/** Everything at once, in an order that is the same in every run, in turns through the servers. */
export const wishAll = (
  { apps, random }: { apps: readonly TestApp[]; random: () => number },
  wishes: readonly Wish[],
): Promise<Heard[]> =>
  Promise.all(
    shuffled(wishes, random).map(async (wish, n) => {
      const answer = await apps[n % apps.length]!.call(wish.request, wish.body ? { body: wish.body } : {});
      return { ...wish, answer };
    }),
  );

export const times = (count: number, wishes: readonly Wish[]): Wish[] =>
  wishes.flatMap((wish) => Array.from({ length: count }, () => wish));

export const granted = (heard: readonly Heard[]): string[] =>
  heard.filter(({ answer }) => answer.status < 300).map(({ name }) => name);

/** Whoever was not granted their wish heard one of these, and nothing else. */
export const assertOnlyRefused = (heard: readonly Heard[], codes: readonly string[]): void => {
  for (const { name, answer } of heard) {
    if (answer.status >= 300) assert.ok(codes.includes(codeOf(answer)), `${name}: ${answer.text}`);
  }
};

export const settlementsOf = (orderId: string): Wish[] => [
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

/** What the order and its people must have come to, by whichever was granted. */
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
  { order, who, winner }: Lived & { winner: string },
): Promise<void> => {
  const { end, events } = COURSES[winner]!;
  const { status, escrow } = await fixture.get(order.id);
  const buyer = await fixture.balance(who.buyer);
  const seller = await fixture.balance(who.seller);
  assert.deepEqual([status, escrow.status, buyer.available, seller.available], end);
  const told = await fixture.eventsOf(order.id);
  assert.deepEqual(told.slice(told.indexOf('order.in_progress') + 1), events);
};

/** So many orders with people of their own. */
export const prepare = async (
  fixture: OrderFixture,
  { count, at }: { count: number; at: NonNullable<NewOrder['at']> },
): Promise<Lived[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const who = await fixture.parties();
      return { who, order: await fixture.anOrder({ at, between: who }) };
    }),
  );
