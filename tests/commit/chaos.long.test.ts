// Many random sequences of balance commands with many random sequences of database faults.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runUnderTroubles } from './chaos.ts';

test('with database faults in many sequences every command takes effect once and gets the correct answer', async (t) => {
  const struck = await runUnderTroubles(t, { seed: 20_262, runs: 250 });
  assert.ok(struck > 50, `${struck} troubles struck`);
});
