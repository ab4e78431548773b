// kill -9 of the server, and of its embedded PostgreSQL, loses nothing that was acknowledged and leaves nothing half done. When
// PostgreSQL is killed the server says so and ends. More kills are in kills-under-load.long.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killUnderLoad } from './kill-rounds.ts';

test('after kill -9 of the server, then of PostgreSQL, what was acknowledged is there once and a repeat completes the rest', async (t) => {
  const cutOff = await killUnderLoad(t, ['server', 'postgres']);
  assert.ok(
    cutOff.every((count) => count > 0),
    'some requests were cut off',
  );
});
