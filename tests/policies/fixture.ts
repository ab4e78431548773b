// Orders with a policy, in a server with simulators of its own, whose clock a test moves.

import type { Hooks } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import type { NewOrder } from '../support/builder.ts';
import { type OrderFixture, openOrders } from '../support/order-fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would, and the assertions are the types
type Any = any;

let named = 0;

const policiesIn = (orders: OrderFixture) => {
  const { app, done, anOrder, get } = orders;

  /** An order that takes a new policy with these rules. */
  const governed = async (rules: object, wanted: NewOrder = {}): Promise<Any> => {
    const { id } = await done('POST /policies', { body: { name: `policy ${++named}`, rules } });
    return anOrder({ ...wanted, policy: id });
  };

  /** Each deadline as `kind status`, earliest first. */
  const deadlinesOf = async (orderId: string): Promise<string[]> =>
    (await get(orderId)).deadlines.map(({ kind, status }: Any) => `${kind} ${status}`);

  const untilDeadlines = async (orderId: string, expected: readonly string[]): Promise<void> =>
    until(
      async () => JSON.stringify(await deadlinesOf(orderId)) === JSON.stringify(expected),
      `the deadlines ${expected.join(', ')}`,
    );

  const payloadsOf = async (orderId: string, type: string): Promise<Any[]> =>
    (
      await app.sql('select envelope from events where event_type = $1 and aggregate_id = $2 order by position', [
        type,
        orderId,
      ])
    ).map(({ envelope }) => JSON.parse(envelope).payload);

  return {
    ...orders,
    governed,
    deadlinesOf,
    untilDeadlines,
    payloadsOf,
    /** Moves the simulators' clock through the API. */
    advance: (seconds: number) => done('POST /sandbox/clock/advance', { body: { seconds } }),
  };
};

export const openPolicies = async (t: Hooks) => policiesIn(await openOrders(t));

export const HOUR = 3_600;
export const DAY = 24 * HOUR;
