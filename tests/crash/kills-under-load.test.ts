// kill -9 of the server, and of its embedded PostgreSQL, loses no acknowledged credit and leaves nothing half done. When
// PostgreSQL is killed the server logs it and exits. kills-under-load.long.test.ts has more kills.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killUnderLoad } from './kill-rounds.ts';

test('after kill -9 of the server, then of PostgreSQL, every acknowledged credit is booked once and a repeat completes each unanswered one', async (t) => {
  const cutOff = await killUnderLoad(t, ['server', 'postgres']);
  assert.ok(
    cutOff.every((count) => count > 0),
    'some requests were cut off',
  );
});
