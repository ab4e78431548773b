// An order whose funding is on the ledger and not in the database, as after the restore of a backup.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { codeOf, MASTER_KEY, type TestApp } from '../support/app.ts';
import { openBackup, readHold } from '../support/backup-fixture.ts';
import { builderOf } from '../support/builder.ts';
import { openOrders, ordersIn } from '../support/order-fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: an order is read like JavaScript would
type Order = any;

/** Everything that makes the reserved money of an order available by hand, with the answers. */
const releaseByHand = async (
  app: TestApp,
  { order, key }: { order: Order; key: string | undefined },
): Promise<string[]> => {
  const { id: orderId, buyerId, amount, currency } = order;
  const as = key === undefined ? {} : { key };
  const of = `POST /users/${buyerId}/balance`;
  return [
    codeOf(await app.call(`${of}/release`, { ...as, body: { amount, currency, orderId } })),
    // Without an order the oldest reservation is released.
    codeOf(await app.call(`${of}/release`, { ...as, body: { amount, currency } })),
    codeOf(await app.call(`${of}/deduct-reserved`, { ...as, body: { amount, currency, orderId } })),
    codeOf(await app.call(`${of}/cancel-reservation`, { ...as, body: { orderId } })),
    codeOf(await app.call(`POST /orders/${orderId}/cancel`, { ...as, body: {} })),
  ];
};

test('a reservation cannot be released while its order may be funded, nor while the money is in the contract', async (t) => {
  const { app, simulator, anOrder, atRest, fault } = await openOrders(t);
  const { id, buyerId, amount, currency } = await anOrder({ at: 'ESCROW_FUNDING' });
  const unfunded = await anOrder({ at: 'FUNDS_RESERVED' });
  const key = await app.key(['*'], 'mkt_other');
  const elsewhere = await builderOf(app, { key }).anOrder({ at: 'FUNDS_RESERVED' });
  await atRest();
  const { escrowFactories: factories } = await simulator('GET /state');
  const env = {
    ESCROW_PROVIDER_URL: `${app.sandboxUrl}/escrow-provider`,
    LEDGER_URL: `${app.sandboxUrl}/ledger`,
    PAYMENT_PROVIDER_URL: `${app.sandboxUrl}/payment-provider/v2`,
    ESCROW_FACTORY_SINGLE: factories['single-release'],
    ESCROW_FACTORY_MULTI: factories['multi-release'],
    OPERATION_WAIT_MS: '20000',
  };
  const { later, restore } = await openBackup(t, { app, env, listenAt: () => {} });
  await ordersIn(later).expect(`POST /orders/${id}/escrow/fund`, { status: 201 });
  // Nothing but the ledger tells the restored server of the funding.
  await fault('get-escrow', 'outage', { count: 10_000 });

  // The ledger cannot be compared yet.
  await fault('account', 'outage', { count: 10_000 });

  const restored = await restore({ knows: true });
  const { expect, balance } = ordersIn(restored);
  const BUSY = '503 SERVICE_UNAVAILABLE';
  const both = [
    { order: unfunded, key: undefined },
    { order: elsewhere, key },
  ];
  for (const of of both) {
    const refused = await releaseByHand(restored, of);
    assert.deepEqual(refused, [BUSY, BUSY, BUSY, BUSY, BUSY]);
    assert.equal((await builderOf(restored, of).balance(of.order.buyerId)).reserved, amount);
  }
  // Money that was reserved for something else than an order is not in a contract.
  const other = await restored.aUser({ available: '5.00' });
  const mine = { amount: '5.00', currency, orderId: 'cart-1' };
  for (const what of ['reserve', 'release']) {
    await expect(`POST /users/${other}/balance/${what}`, { status: 200, body: mine });
  }
  await simulator('DELETE /faults');
  await fault('get-escrow', 'outage', { count: 10_000 });
  const isCompared = async (): Promise<boolean> => {
    // Another hold keeps the first one, and compares at once.
    await expect('POST /payments/hold', { status: 200, key: MASTER_KEY, body: { reason: 'again' } });
    return (await readHold(restored)).ledgerCompared;
  };
  await until(isCompared, 'the ledger is compared');
  const known = `select 1 from escrows where order_id = $1 and calls @> '[{"call":"fund"}]'`;
  await until(async () => (await restored.sql(known, [id])).length === 1, 'the funding is adopted');
  const before = await balance(buyerId);
  const body = { amount, currency, orderId: id };
  const reserved = { amount: unfunded.amount, currency, orderId: unfunded.id };
  await expect(`POST /users/${unfunded.buyerId}/balance/release`, { status: 200, body: reserved });
  await expect(`POST /orders/${elsewhere.id}/cancel`, { status: 201, key, body: {} });
  const released = await restored.call(`POST /users/${buyerId}/balance/release`, { body });
  assert.ok(released.status >= 400 && released.status < 500, released.text);
  assert.deepEqual(await balance(buyerId), before);

  await simulator('DELETE /faults');
  await expect('POST /payments/release', { status: 200, key: MASTER_KEY, body: { anyway: true } });
  await restored.call(`POST /orders/${id}/escrow/fund`);
  await until(async () => (await ordersIn(restored).get(id)).status === 'IN_PROGRESS', 'the order goes on');
  const { contracts } = await simulator('GET /state');
  assert.deepEqual(
    contracts.map((one: { balance: number }) => one.balance),
    [100],
  );
});
