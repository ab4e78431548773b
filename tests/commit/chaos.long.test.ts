// Many sequences of balance commands under many sequences of troubles.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runUnderTroubles } from './chaos.ts';

test('whatever breaks on the way of many sequences, every command takes effect once and is answered truthfully', async (t) => {
  const struck = await runUnderTroubles(t, { seed: 20_262, runs: 250 });
  assert.ok(struck > 50, `${struck} troubles struck`);
});
