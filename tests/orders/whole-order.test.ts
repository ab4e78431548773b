// Orders from creation to the most frequent ends. whole-order.long.test.ts has every number of milestones with every end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSharedOrders } from '../support/order-fixture.ts';
import { runToEnds } from './whole-order.ts';

test('an order without milestones runs from its creation to a release or a refund', async (t) => {
  const { earned, expected } = await runToEnds(t, { count: 0, endings: ['release', 'refund'] });
  assert.equal(earned, expected);
});

test('an order with two milestones runs from its creation to a split', async (t) => {
  const { earned, expected } = await runToEnds(t, { count: 2, endings: ['a dispute that is split'] });
  assert.equal(earned, expected);
});

test('an order in the native asset is settled in that asset, and an order in USDC from the USDC balance', async (t) => {
  const fixture = await openSharedOrders(t);
  const { parties, anOrder, completeAll, expect, balance, app } = fixture;
  for (const currency of ['XLM', 'USDC']) {
    const who = await parties();
    await app.call(`POST /users/${who.buyer}/balance/credit`, { body: { amount: '50.00', currency } });
    const order = await anOrder({
      at: 'IN_PROGRESS',
      between: who,
      amount: '20.00',
      currency,
      metadata: { platformFee: 10 },
    });
    await completeAll(order);
    await expect(`POST /orders/${order.id}/resolution/release`, { status: 200 });
    assert.deepEqual(await balance(who.buyer, currency), { available: '30.00', reserved: '0.00' });
    assert.deepEqual(await balance(who.seller, currency), { available: '18.00', reserved: '0.00' });
  }
  await fixture.assertSound();
});
