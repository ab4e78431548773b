// Orders as a marketplace makes them: through the API, on a whole server with its own database and simulators, and the looks
// that every test ends with: the books, the contract, the wallets and the events.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Env } from '../../server/src/config/config.ts';
import { compareBooksWithLedger } from '../../tools/books-and-ledger.ts';
import { httpRequest } from '../../tools/processes/http-request.ts';
import { until } from '../../tools/until.ts';
import { type Answer, type Ask, startApp, type TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';

export type People = { readonly buyer: string; readonly seller: string };

export type OrderFixture = Awaited<ReturnType<typeof openOrders>>;

type OrderAsk = {
  readonly amount?: string;
  readonly currency?: string;
  readonly milestones?: readonly string[];
  readonly metadata?: Record<string, unknown>;
};

// biome-ignore lint/suspicious/noExplicitAny: the simulators' state is read like JavaScript would
type Any = any;

const refOf = (place: number): string => `m${place + 1}`;

export const openOrders = async (t: TestContext, options: { env?: Env; connection?: object } = {}) =>
  ordersIn(await startApp(t, { sandbox: true, ...options }));

/** In a place of its own in the server of the process: for who does nothing to the simulators, which others use too. */
export const openSharedOrders = async (t: TestContext) => ordersIn(await openApp(t, { sandbox: true }));

/** The ways to make orders and to look at them, in a server that the caller has opened. */
export const ordersIn = (app: TestApp) => {
  const control = `${app.sandboxUrl}/control`;

  const simulator = async (request: string, body?: unknown): Promise<Any> => {
    const [method, path] = request.split(' ') as [string, string];
    const { status, text } = await httpRequest(`${control}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (status >= 300) throw new Error(`${request}: ${text}`);
    return status === 204 ? null : JSON.parse(text);
  };

  /** A buyer with so much, and a seller. Their wallets may still be on their way to the ledger. */
  const people = async (available = '1000.00'): Promise<People> => {
    const [buyer, seller] = await Promise.all([app.aUser({ available }), app.aUser()]);
    return { buyer, seller };
  };

  /** Of the custodial wallet, once it lives on the ledger. */
  const addressOf = async (userId: string): Promise<string> => {
    const find = async () => (await app.sql(`select address, status from wallets where user_id = $1`, [userId]))[0];
    await until(async () => (await find()).status === 'ACTIVE', 'the wallet is active');
    return (await find()).address;
  };

  const expect = async (request: string, ask: Ask & { status: number }): Promise<Any> => {
    const { status, ...rest } = ask;
    const answer = await app.call(request, rest);
    assert.equal(answer.status, status, `${request}: ${answer.text}`);
    return answer.body.data?.data ?? answer.body.data ?? answer.body;
  };

  const createOrder = async ({ buyer, seller }: People, ask: OrderAsk = {}): Promise<Any> => {
    const milestones = ask.milestones?.map((amount, place) => ({
      ref: refOf(place),
      title: `Part ${place + 1}`,
      amount,
    }));
    const body = {
      ...{ buyerId: buyer, sellerId: seller, amount: ask.amount ?? '100.00', title: 'A table' },
      ...(ask.currency ? { currency: ask.currency } : {}),
      ...(ask.metadata ? { metadata: ask.metadata } : {}),
      ...(milestones ? { milestones } : {}),
    };
    return expect('POST /orders', { body, status: 201 });
  };

  const get = (orderId: string): Promise<Any> => expect(`GET /orders/${orderId}`, { status: 200 });

  const reserved = async (who: People, ask: OrderAsk = {}): Promise<Any> => {
    const { id } = await createOrder(who, ask);
    return expect(`POST /orders/${id}/reserve`, { status: 201 });
  };

  /** On the way to what is tested: where a request waits only briefly, a busy machine may need longer than that. */
  const carriedOut = async (request: string, ask: { orderId: string; status: string }): Promise<Any> => {
    const answer = await app.call(request);
    if (answer.status !== 504) {
      assert.equal(answer.status, 201, `${request}: ${answer.text}`);
      return answer.body.data.data;
    }
    await until(async () => (await get(ask.orderId)).operation === null, `${request} is carried out`);
    const order = await get(ask.orderId);
    assert.equal(order.status, ask.status, request);
    return order;
  };

  const withEscrow = async (who: People, ask: OrderAsk = {}): Promise<Any> => {
    const { id } = await reserved(who, ask);
    return carriedOut(`POST /orders/${id}/escrow`, { orderId: id, status: 'ESCROW_FUNDING' });
  };

  const funded = async (who: People, ask: OrderAsk = {}): Promise<Any> => {
    const { id } = await withEscrow(who, ask);
    return carriedOut(`POST /orders/${id}/escrow/fund`, { orderId: id, status: 'IN_PROGRESS' });
  };

  const completeAll = async (order: Any): Promise<void> => {
    for (const { ref } of order.milestones) {
      await expect(`POST /orders/${order.id}/milestones/${ref}/complete`, { status: 201 });
    }
  };

  const disputed = async (who: People, ask: OrderAsk = {}): Promise<Any> => {
    const { id } = await funded(who, ask);
    const body = { orderId: id, openedBy: 'BUYER', reason: 'NOT_DELIVERED' };
    const dispute = await expect(`POST /orders/${id}/resolution/dispute`, { body, status: 201 });
    return expect(`POST /disputes/${dispute.id}/assign`, { body: { assignedTo: 'agent-7' }, status: 200 });
  };

  const balance = async (userId: string, currency = 'USD') => {
    const { available, reserved: set } = await expect(`GET /users/${userId}/balance?currency=${currency}`, {
      status: 200,
    });
    return { available, reserved: set };
  };

  /** Types of all events about one order, in their order, and of the balances that it moved. */
  const eventsOf = async (orderId: string): Promise<string[]> => {
    const rows = await app.sql(
      `select event_type as type from events where envelope::jsonb -> 'payload' ->> 'orderId' = $1
         or envelope::jsonb -> 'payload' ->> 'sourceId' = $1 order by position`,
      [orderId],
    );
    return rows.map(({ type }) => type);
  };

  /** Nothing is being carried out, and nothing is on its way to the ledger. */
  const atRest = (): Promise<void> =>
    until(async () => {
      const [row] = await app.sql(`select (select count(*)::int from operations where state = 'RUNNING')
        + (select count(*)::int from ledger_transactions where state = 'SIGNED') as open`);
      return row.open === 0;
    }, 'all is at rest');

  const untilStatus = async (orderId: string, status: string): Promise<Any> => {
    await until(async () => (await get(orderId)).status === status, `the order is ${status}`);
    await atRest();
    return get(orderId);
  };

  const contractOf = async (order: Any): Promise<Any> =>
    (await simulator('GET /state')).contracts.find((one: Any) => one.contractId === order.escrow?.providerContractId);

  return {
    ...{
      app,
      simulator,
      expect,
      people,
      createOrder,
      get,
      reserved,
      withEscrow,
      funded,
      completeAll,
      disputed,
      balance,
    },
    ...{ addressOf, eventsOf, atRest, untilStatus, contractOf },
    fault: (operation: string, fault: string, more: object = {}) =>
      simulator('POST /faults', { operation, fault, ...more }),
    assertSound: () => assertSound(app, simulator, atRest),
  };
};

export const codeOf = (answer: Answer): string => `${answer.status} ${answer.body?.error?.code}`;

/** The books prove themselves, and every address and contract of ours holds on the ledger just what the books say. */
const assertSound = async (
  app: TestApp,
  simulator: (request: string) => Promise<Any>,
  atRest: () => Promise<void>,
): Promise<void> => {
  await atRest();
  const proof = await app.call('GET /audit/proof');
  assert.equal(proof.status, 200, proof.text);
  assert.deepEqual(
    proof.body.data.checks.filter(({ holds }: Any) => !holds),
    [],
  );
  const state = await simulator('GET /state');
  assert.deepEqual(await compareBooksWithLedger({ sql: app.sql, state }), []);
};
