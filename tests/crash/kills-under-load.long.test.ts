// kill -9 of the server at any moment, and of the servers after it, and of PostgreSQL between them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killUnderLoad } from './kill-rounds.ts';

test('after eight kills under load, every acknowledged credit is booked once and a repeat completes each unanswered one', async (t) => {
  const cutOff = await killUnderLoad(t, [
    ...(['server', 'server', 'server', 'postgres'] as const),
    ...(['server', 'server', 'server', 'postgres'] as const),
  ]);
  assert.ok(
    cutOff.every((count) => count > 0),
    'some requests were cut off',
  );
});
