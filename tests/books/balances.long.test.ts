// Many sequences of balance commands, and of jumps of the clock.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runSequences, runWithClockJumps } from './sequences.ts';

test('any sequence of balance commands has the result of plain arithmetic, and every rule of the books holds', async (t) => {
  const groups = await runSequences(t, { runs: 300 });
  assert.ok(
    groups.some((size) => size > 1),
    'some commands shared a group',
  );
});

test('events keep their order and never share a time, even when the clock stands still or goes back', async (t) => {
  assert.ok((await runWithClockJumps(t, { runs: 60 })) > 0);
});
