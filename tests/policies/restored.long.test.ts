// The restore of a backup from the middle of an order that is paid in parts: one milestone is released, one is disputed with a deadline.
// What the contract has paid after the backup is not paid again, and the order ends as the contract did.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareBooksWithLedger } from '../../tools/books-and-ledger.ts';
import { until } from '../../tools/until.ts';
import type { TestApp } from '../support/app.ts';
import { openBackup, readHold, releasePayments } from '../support/backup-fixture.ts';
import { untilIdle } from '../support/checks.ts';
import { openOrders, ordersIn } from '../support/order-fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
type Any = any;

/** Long enough that the backup has it pending. */
const RULES = { dispute: { decideWithin: 'PT5S', then: 'RELEASE' } };

const envOf = async ({ app, simulator }: Any): Promise<Record<string, string>> => {
  const { escrowFactories: factories } = await simulator('GET /state');
  return {
    ESCROW_PROVIDER_URL: `${app.sandboxUrl}/escrow-provider`,
    LEDGER_URL: `${app.sandboxUrl}/ledger`,
    PAYMENT_PROVIDER_URL: `${app.sandboxUrl}/payment-provider/v2`,
    ESCROW_FACTORY_SINGLE: factories['single-release'],
    ESCROW_FACTORY_MULTI: factories['multi-release'],
    OPERATION_WAIT_MS: '20000',
  };
};

/** An order over 100.00 of which m1 is released and m2 is disputed. */
const orderInParts = async ({ done, anOrder }: Any): Promise<Any> => {
  const { id: policy } = await done('POST /policies', { body: { name: 'in parts', rules: RULES } });
  const order = await anOrder({ policy, at: 'IN_PROGRESS', milestones: ['30.00', '30.00', '40.00'] });
  const of = `POST /orders/${order.id}/milestones`;
  await done(`${of}/m1/complete`);
  await done(`${of}/m1/release`, { body: {} });
  await done(`${of}/m2/dispute`, { body: { openedBy: 'BUYER', reason: 'QUALITY_ISSUE' } });
  return order;
};

const statusesOf = ({ milestones }: Any): string[] => milestones.map(({ status }: Any) => status);

/** The hold ends when the ledger was compared. */
const untilReleased = (app: TestApp): Promise<void> =>
  until(async () => {
    await releasePayments(app, { acceptLostPayouts: true });
    return !(await readHold(app)).held;
  }, 'payments are released');

/** Each milestone once, and nothing is left in the contract. */
const assertPaidOnce = async (app: TestApp, { order, simulator }: Any): Promise<void> => {
  const { get, balance } = ordersIn(app);
  await untilIdle(app);
  const now = await get(order.id);
  assert.deepEqual([now.status, now.finalStatus], ['CLOSED', 'RELEASED']);
  // 5 percent of 100.00.
  assert.equal((await balance(order.sellerId)).available, '95.00');
  assert.equal((await balance(order.buyerId)).available, '900.00');
  assert.ok(now.deadlines.every(({ status }: Any) => status === 'DONE' || status === 'CANCELED'));
  const isSame = async (): Promise<boolean> =>
    (await compareBooksWithLedger({ sql: app.sql, state: await simulator('GET /state') })).length === 0;
  await until(isSame, 'the ledger is what the books say');
};

test('a deadline that had paid after the backup does not pay again', async (t) => {
  const fixture = await openOrders(t);
  const { app, simulator } = fixture;
  const order = await orderInParts(fixture);
  const { later, restore } = await openBackup(t, { app, env: await envOf(fixture), listenAt: () => {} });
  const lost = ordersIn(later);
  // The deadline releases m2, and the client m3. All of it is lost with the database.
  const isDecided = async () => statusesOf(await lost.get(order.id))[1] === 'RELEASED';
  await until(isDecided, 'the deadline has decided the dispute');
  await lost.done(`POST /orders/${order.id}/milestones/m3/complete`);
  await lost.done(`POST /orders/${order.id}/milestones/m3/release`, { body: {} });
  assert.equal((await lost.get(order.id)).status, 'CLOSED');

  const restored = await restore({ knows: true });
  await untilReleased(restored);
  const { get, done } = ordersIn(restored);
  await until(async () => statusesOf(await get(order.id))[1] === 'RELEASED', 'the dispute is decided again');
  const rest = await get(order.id);
  if (rest.status !== 'CLOSED') {
    if (statusesOf(rest)[2] === 'OPEN') await done(`POST /orders/${order.id}/milestones/m3/complete`);
    await restored.call(`POST /orders/${order.id}/milestones/m3/release`, { body: {} });
  }
  await until(async () => (await get(order.id)).status === 'CLOSED', 'the order is closed');
  await assertPaidOnce(restored, { order, simulator });
});

test('a deadline that is overdue after the restore decides the dispute once, and the order ends', async (t) => {
  const fixture = await openOrders(t);
  const { app, simulator } = fixture;
  const order = await orderInParts(fixture);
  const { restore } = await openBackup(t, { app, env: await envOf(fixture), listenAt: () => {} });
  const restored = await restore({ knows: true });
  await untilReleased(restored);
  const { get, done } = ordersIn(restored);
  await until(async () => statusesOf(await get(order.id))[1] === 'RELEASED', 'the deadline has decided the dispute');
  const passed = "select 1 from events where event_type = 'order.deadline_passed' and aggregate_id = $1";
  assert.equal((await restored.sql(passed, [order.id])).length, 1);
  await done(`POST /orders/${order.id}/milestones/m3/complete`);
  await done(`POST /orders/${order.id}/milestones/m3/release`, { body: {} });
  await assertPaidOnce(restored, { order, simulator });
});
