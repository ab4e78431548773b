// A sequence of balance commands has the same outcome with database faults as without them. chaos.long.test.ts has more
// sequences.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runUnderTroubles } from './chaos.ts';

test('with database faults every command takes effect once, in order, and gets the correct answer', async (t) => {
  const struck = await runUnderTroubles(t, { seed: 20_262, runs: 30 });
  assert.ok(struck > 10, `${struck} troubles struck`);
});
