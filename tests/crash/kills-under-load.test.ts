// kill -9 of the embedded PostgreSQL loses no acknowledged credit and leaves nothing half done. The server logs it and exits.
// kills-under-load.long.test.ts has more kills, of the server too.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killUnderLoad } from './kill-rounds.ts';

test('after kill -9 of PostgreSQL under load every acknowledged credit is booked once and a repeat completes each unanswered one', async (t) => {
  const cutOff = await killUnderLoad(t, ['postgres']);
  assert.ok(
    cutOff.every((count) => count > 0),
    'some requests were cut off',
  );
});
