// A second server starts while the first one runs operations, and resumes the same operations. Both servers work on them,
// and every contract call is still on the ledger once.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { until } from '../../tools/until.ts';
import { type Answer, codeOf } from '../support/app.ts';
import type { Parties } from '../support/builder.ts';
import { type OrderFixture, openOrders } from '../support/order-fixture.ts';
import { type Any, startSecondServer } from './order-requests.ts';

type Course = {
  readonly path: string;
  /** Order status, escrow status, and the available balances of buyer and seller, of an order of 100.00 with the usual fee of 5 %. */
  readonly end: readonly string[];
  begin(fixture: OrderFixture, who: Parties): Promise<Any>;
};

const PARTS = { milestones: ['40.00', '60.00'] };

const completed = async (fixture: OrderFixture, who: Parties): Promise<Any> => {
  const order = await fixture.anOrder({ at: 'IN_PROGRESS', between: who, ...PARTS });
  await fixture.completeAll(order);
  return order;
};

const COURSES: readonly Course[] = [
  {
    path: 'escrow',
    end: ['ESCROW_FUNDING', 'CREATED', '900.00', '0.00'],
    begin: ({ anOrder }, who) => anOrder({ at: 'FUNDS_RESERVED', between: who }),
  },
  {
    path: 'escrow/fund',
    end: ['IN_PROGRESS', 'FUNDED', '900.00', '0.00'],
    begin: ({ anOrder }, who) => anOrder({ at: 'ESCROW_FUNDING', between: who }),
  },
  { path: 'resolution/release', end: ['CLOSED', 'RELEASED', '900.00', '95.00'], begin: completed },
  { path: 'resolution/refund', end: ['CLOSED', 'REFUNDED', '1000.00', '0.00'], begin: completed },
];

type RacedOrder = { readonly who: Parties; readonly order: Any; readonly course: Course };

/** Slows down every call of these orders and starts all operations. Returns their pending answers when all are running. */
const askSlowly = async (fixture: OrderFixture, orders: readonly RacedOrder[]): Promise<Promise<Answer>[]> => {
  for (const { order } of orders) {
    for (const call of ['send-transaction', 'deploy', 'fund', 'change-status', 'approve', 'release', 'dispute']) {
      await fixture.fault(call, 'slow', { match: order.id, delayMs: 400, count: 3 });
    }
  }
  const asked = orders.map(({ order, course }) =>
    fixture.app.call(`POST /orders/${order.id}/${course.path}`, { body: { reason: 'together' } }),
  );
  await until(async () => {
    const [{ running }] = await fixture.app.sql(
      `select count(*)::int as running from operations where state = 'RUNNING'`,
    );
    return running === orders.length;
  }, 'all operations are running');
  return asked;
};

const assertEnd = async (fixture: OrderFixture, { order, who, course }: RacedOrder): Promise<void> => {
  const { status, escrow } = await fixture.get(order.id);
  const buyer = await fixture.balance(who.buyer);
  const seller = await fixture.balance(who.seller);
  assert.deepEqual([status, escrow.status, buyer.available, seller.available], course.end);
  const events = await fixture.eventsOf(order.id);
  const once = events.filter((type) => type !== 'escrow.milestone_completed');
  assert.deepEqual(once, [...new Set(once)], 'no event is emitted twice');
};

const REPEATED = `select a ->> 'orderId' as id, a ->> 'call' as call, a ->> 'milestone' as milestone, count(*)::int as n
  from ledger_transactions, jsonb_array_elements(actions) a
  where state = 'SUCCEEDED' and a ->> 'type' = 'escrow' group by 1, 2, 3 having count(*) > 1`;

/** Two servers run the operations of `each` orders per kind. Returns the calls that are on the ledger twice. */
export const carryOnTogether = async (t: TestContext, { each }: { each: number }): Promise<Any[]> => {
  const fixture = await openOrders(t);
  const courses = Array.from({ length: each }, () => COURSES).flat();
  const orders = await Promise.all(
    courses.map(async (course) => {
      const who = await fixture.parties();
      return { who, order: await course.begin(fixture, who), course };
    }),
  );
  const asked = await askSlowly(fixture, orders);
  await startSecondServer(t, fixture);
  for (const answer of await Promise.all(asked)) {
    // When the other server finished first, a server answers that the operation continues.
    if (answer.status >= 300) assert.equal(codeOf(answer), '504 PROVIDER_TIMEOUT', answer.text);
  }
  await fixture.atRest();
  for (const raced of orders) await assertEnd(fixture, raced);
  const contracts = (await fixture.simulator('GET /state')).contracts as Any[];
  assert.equal(new Set(contracts.map(({ engagementId }) => engagementId)).size, contracts.length);
  await fixture.assertSound();
  return fixture.app.sql(REPEATED);
};
