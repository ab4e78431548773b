// Orders in a server with simulators: the builder, and what tests read afterwards: the contract, the wallets, the events,
// and the comparison of books and ledger.

import assert from 'node:assert/strict';
import type { Env } from '../../server/src/config/config.ts';
import { compareBooksWithLedger } from '../../tools/books-and-ledger.ts';
import type { Hooks } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import { startApp, type TestApp } from './app.ts';
import { builderOf } from './builder.ts';
import { activeAddressOf, assertProof, untilIdle } from './checks.ts';
import { openApp } from './shared-app.ts';
import { controlOf } from './simulators.ts';

export type OrderFixture = Awaited<ReturnType<typeof openOrders>>;

// biome-ignore lint/suspicious/noExplicitAny: the simulators' state is read like JavaScript would
type Any = any;

/** With a server, a database and simulators of the test's own. */
export const openOrders = async (t: Hooks, options: { env?: Env; connection?: object } = {}) =>
  ordersIn(await startApp(t, { sandbox: true, ...options }));

/** In a new marketplace of the shared server. A fault has to name its order, because other tests use the simulators too. */
export const openSharedOrders = async (t: Hooks) => ordersIn(await openApp(t, { sandbox: true }));

/** In a server that the caller has started. */
export const ordersIn = (app: TestApp) => {
  const builder = builderOf(app);
  const simulator = controlOf(`${app.sandboxUrl}/control`);
  const { get } = builder;
  const armed = new Set<string>();
  const atRest = (): Promise<void> => untilIdle(app);

  /** Types of all events about one order and about the balances that it moved, oldest first. */
  const eventsOf = async (orderId: string): Promise<string[]> => {
    const rows = await app.sql(
      `select event_type as type from events where envelope::jsonb -> 'payload' ->> 'orderId' = $1
         or envelope::jsonb -> 'payload' ->> 'sourceId' = $1 order by position`,
      [orderId],
    );
    return rows.map(({ type }) => type);
  };

  const untilStatus = async (orderId: string, status: string): Promise<Any> => {
    await until(async () => (await get(orderId)).status === status, `an order in ${status}`);
    await atRest();
    return get(orderId);
  };

  const contractOf = async (order: Any): Promise<Any> =>
    (await simulator('GET /state')).contracts.find((one: Any) => one.contractId === order.escrow?.providerContractId);

  return {
    ...builder,
    simulator,
    addressOf: (userId: string) => activeAddressOf(app, userId),
    eventsOf,
    atRest,
    untilStatus,
    contractOf,
    async fault(operation: string, fault: string, more: object = {}): Promise<Any> {
      const answer = await simulator('POST /faults', { operation, fault, ...more });
      armed.add(answer.id);
      return answer;
    },
    /** The faults of this fixture that have not happened. The simulators also list the faults that earlier tests left. */
    async unmetFaults(): Promise<Any[]> {
      const { faults } = await simulator('GET /faults');
      return faults.filter(({ id }: Any) => armed.has(id));
    },
    /** The proof holds, and every address and contract holds on the ledger what the books say. */
    async assertSound(): Promise<void> {
      await atRest();
      await assertProof(app);
      assert.deepEqual(await compareBooksWithLedger({ sql: app.sql, state: await simulator('GET /state') }), []);
    },
  };
};
