// Tests of your own code against a development server: real books, simulated outside systems, and a marketplace for these tests alone.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestMarketplace } from '@holdfast/sdk/testing';

const { HOLDFAST_URL = 'http://127.0.0.1:4000', HOLDFAST_MASTER_KEY = '' } = process.env;
const shop = await openTestMarketplace({ url: HOLDFAST_URL, masterKey: HOLDFAST_MASTER_KEY });
after(() => shop.close());

test('a buyer who cancels has all the money back', async () => {
  const order = await shop.fundedOrder({ amount: '40.00' });
  await shop.holdfast.orders.refund(order.id, { reason: 'Sold out' });
  assert.equal((await shop.holdfast.balances.get(order.buyerId)).available, '40.00');
});

test('the seller is paid by itself after 14 days', async () => {
  await shop.holdfast.policies.create({ name: 'shop', rules: { autoReleaseAfter: 'P14D' } });
  const order = await shop.fundedOrder({ amount: '40.00', policy: 'shop' });
  await shop.advanceClock({ days: 14 });
  await shop.holdfast.orders.waitFor(order.id, { until: 'released' });
  assert.equal((await shop.holdfast.balances.get(order.sellerId)).available, '38.00');
});

test('a slow provider does not stop a release', async () => {
  const order = await shop.fundedOrder({ amount: '40.00' });
  await shop.holdfast.sandbox.armFault({ operation: 'release', fault: 'slow', delayMs: 500 });
  await shop.holdfast.orders.release(order.id);
  await shop.quiet();
});
