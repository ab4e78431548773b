// The operation and the step that init-faults.test.ts leaves out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertGoesOn, contractsAfterDoubt } from './init-fault-checks.ts';

test('504 when the outcome of fund is unknown; the same request again gets the one escrow, and a third gets 400', async (t) => {
  assert.equal(await contractsAfterDoubt(t, 'fund'), 1);
});

test('a server that stops before reserve-order leaves a claim that expires; then the same request continues', async (t) => {
  await assertGoesOn(t, 'reserve-order');
});
