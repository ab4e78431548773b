// A server that is killed anywhere in the payment of one milestone leaves an order whose milestone is paid once, and whose other
// milestones are untouched.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEnds, killAtPoints, TIMEOUT_MS } from './order-kills.ts';

test('the payment of a milestone continues where a kill -9 of the server interrupted it', {
  timeout: TIMEOUT_MS,
}, async (t) => {
  const result = await killAtPoints(t, {
    sagas: {
      'release of one milestone': 'ends',
      'refund of one milestone': 'ends',
      'release of the last milestone': 'ends',
    },
    sharedPlaces: 13,
  });
  assert.ok(result.killed.length > 30);
  await t.test('a milestone that is already released is not released again', () =>
    assertEnds(result, 'release of one milestone'),
  );
  await t.test('a milestone that is already in dispute is only resolved', () =>
    assertEnds(result, 'refund of one milestone'),
  );
  await t.test('the order is closed once, with its last milestone', () =>
    assertEnds(result, 'release of the last milestone'),
  );
});
