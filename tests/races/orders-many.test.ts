// Twelve orders of one buyer at once; two hundred are in orders-many.long.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSharedOrders } from '../orders/order-stand.ts';
import { fundAtOnce, settleAtOnce } from './many-orders.ts';

test('12 orders of one buyer at once are funded, then half released and half refunded, to the cent (defects 1, 13)', async (t) => {
  const stand = await openSharedOrders(t);
  const events = await settleAtOnce(stand, await fundAtOnce(stand, 12));
  assert.deepEqual(events, { 'escrow.funded': 12, 'order.closed': 12, 'order.released': 6, 'order.refunded': 6 });
});
