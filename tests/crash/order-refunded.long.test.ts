// A server that is killed anywhere in a refund leaves an order whose buyer is paid back once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEnds, killAtPoints, TIMEOUT_MS } from './order-kills.ts';

test('a refund continues where a kill -9 of the server interrupted it', { timeout: TIMEOUT_MS }, async (t) => {
  const result = await killAtPoints(t, {
    sagas: { refund: 'ends', 'refund of two milestones': 'ends' },
    sharedPlaces: 13,
  });
  assert.ok(result.killed.length > 20);
  await t.test('a contract that is already in dispute is only resolved (defects 8 and 11)', () =>
    assertEnds(result, 'refund'),
  );
  await t.test('a milestone that is already refunded is not refunded again (defects 8 and 11)', () =>
    assertEnds(result, 'refund of two milestones'),
  );
});
