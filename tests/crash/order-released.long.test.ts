// A server that is killed anywhere in a release leaves an order whose seller is paid once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEnds, killAtPoints, TIMEOUT_MS } from './order-kills.ts';

test('a release continues where a kill -9 of the server interrupted it', { timeout: TIMEOUT_MS }, async (t) => {
  const result = await killAtPoints(t, {
    sagas: { release: 'all', 'release of two milestones': 'ends' },
    sharedPlaces: 14,
  });
  assert.ok(result.killed.length > 35);
  await t.test('an approved milestone is not approved again, and the seller is paid once (defects 8 and 10)', () =>
    assertEnds(result, 'release'),
  );
  await t.test('a milestone that is already paid is not paid again (defects 8 and 10)', () =>
    assertEnds(result, 'release of two milestones'),
  );
});
