// Orders without milestones, and with 1, 2 and 10, from creation to every possible end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDING_NAMES, runToEnds } from './whole-order.ts';

for (const count of [0, 1, 2, 10] as const) {
  test(`an order with ${count} milestones runs from its creation to every possible end`, async (t) => {
    const { earned, expected } = await runToEnds(t, { count, endings: ENDING_NAMES });
    assert.equal(earned, expected);
  });
}
