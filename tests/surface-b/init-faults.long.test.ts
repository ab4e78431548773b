// The operation and the step that init-faults.test.ts leaves out.

import { test } from 'node:test';
import { assertGoesOn, assertOneEscrow } from './init-faulty.ts';

test('504 when nobody knows what became of fund; the same request again gets the one escrow, and a third hears of it', async (t) => {
  await assertOneEscrow(t, 'fund');
});

test('a server that stops before reserve-order leaves a claim that runs out; then the same request goes on', async (t) => {
  await assertGoesOn(t, 'reserve-order');
});
