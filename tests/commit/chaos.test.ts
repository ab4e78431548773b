// Any sequence of balance commands under any sequence of troubles gives the same outcome as without trouble. More sequences are in
// chaos.long.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runUnderTroubles } from './chaos.ts';

test('whatever breaks on the way, every command takes effect once, in order, and is answered truthfully', async (t) => {
  const struck = await runUnderTroubles(t, { seed: 20_262, runs: 30 });
  assert.ok(struck > 10, `${struck} troubles struck`);
});
