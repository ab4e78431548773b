// Four orders of one buyer at once; two hundred are in orders-many.long.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSharedOrders } from '../support/order-fixture.ts';
import { fundAtOnce, settleAtOnce } from './many-orders.ts';

test('4 orders of one buyer at once are funded, then half released and half refunded, to the cent (defects 1, 13)', async (t) => {
  const fixture = await openSharedOrders(t);
  const events = await settleAtOnce(fixture, await fundAtOnce(fixture, 4));
  assert.deepEqual(events, { 'escrow.funded': 4, 'order.closed': 4, 'order.released': 2, 'order.refunded': 2 });
});
