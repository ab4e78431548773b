// The whole life of orders with 1, 2 and 10 milestones, for every way that one can end. Those without milestones are in
// life.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDING_NAMES, liveAll } from './order-life.ts';

for (const count of [1, 2, 10] as const) {
  test(`an order with ${count} milestones lives its whole life, whichever way it ends`, async (t) => {
    const { earned, expected } = await liveAll(t, { count, endings: ENDING_NAMES });
    assert.equal(earned, expected);
  });
}
