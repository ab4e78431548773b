// Two hundred orders of one buyer at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openOrders } from '../support/order-fixture.ts';
import { fundAtOnce, settleAtOnce } from './many-orders.ts';

// All orders wait for one wallet, which is slow on a busy machine.
const TIMEOUT_MS = 300_000;
const env = { OPERATION_WAIT_MS: String(TIMEOUT_MS) };

test('200 orders of one buyer at once are funded, then half released and half refunded, to the cent (defects 1, 13)', {
  timeout: TIMEOUT_MS,
}, async (t) => {
  const fixture = await openOrders(t, { env });
  const events = await settleAtOnce(fixture, await fundAtOnce(fixture, 200));
  assert.deepEqual(events, {
    'escrow.funded': 200,
    'order.closed': 200,
    'order.released': 100,
    'order.refunded': 100,
  });
});
