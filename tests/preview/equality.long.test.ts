// A preview equals what then happens, over thousands of random requests in random states, in several marketplaces.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openSharedOrders } from '../support/order-fixture.ts';
import { type Counts, newWorld, runStep, stepsOf } from './cases.ts';

const RUNS = 8;
const WORLDS = 5;
const STEPS = 100;

test('the preview of each of thousands of random requests shows what the request then does', async (t) => {
  const counts: Counts = { done: 0, refused: 0, operations: 0 };
  for (let run = 0; run < RUNS; run++) {
    const fixture = await openSharedOrders(t);
    await fc.assert(
      fc.asyncProperty(stepsOf({ minLength: STEPS, maxLength: STEPS }), async (steps) => {
        const world = await newWorld(fixture);
        for (const step of steps) await runStep(fixture, { world, step, counts });
      }),
      { numRuns: WORLDS, endOnFailure: true },
    );
    await fixture.assertSound();
  }
  t.diagnostic(JSON.stringify(counts));
  assert.equal(counts.done + counts.refused, RUNS * WORLDS * STEPS);
  assert.ok(counts.done > 1_000 && counts.operations > 200, JSON.stringify(counts));
});
