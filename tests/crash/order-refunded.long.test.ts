// A server that is killed anywhere in a refund leaves an order whose buyer is paid back once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEnds, PATIENCE_MS, walk } from './order-walk.ts';

test('a refund continues where a kill -9 of the server interrupted it', { timeout: PATIENCE_MS }, async (t) => {
  const walked = await walk(t, {
    sagas: { refund: 'ends', 'refund of two milestones': 'ends' },
    sharedPlaces: 13,
  });
  assert.ok(walked.killed.length > 20);
  await t.test('a contract that is already in dispute is only resolved (defects 8 and 11)', () =>
    assertEnds(walked, 'refund'),
  );
  await t.test('a milestone that is already refunded is not refunded again (defects 8 and 11)', () =>
    assertEnds(walked, 'refund of two milestones'),
  );
});
