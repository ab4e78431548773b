// A preview equals what then happens, over random requests in random states. The thousands are in equality.long.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openSharedOrders } from '../support/order-fixture.ts';
import { type Counts, newWorld, runStep, stepsOf } from './cases.ts';

test('the preview of a random request shows what the request then does', async (t) => {
  const fixture = await openSharedOrders(t);
  const counts: Counts = { done: 0, refused: 0, operations: 0 };
  await fc.assert(
    fc.asyncProperty(stepsOf({ minLength: 60, maxLength: 60 }), async (steps) => {
      const world = await newWorld(fixture);
      for (const step of steps) await runStep(fixture, { world, step, counts });
    }),
    { numRuns: 1, seed: 7, endOnFailure: true },
  );
  t.diagnostic(JSON.stringify(counts));
  assert.ok(counts.done > 10 && counts.refused > 10, JSON.stringify(counts));
  await fixture.assertSound();
});
