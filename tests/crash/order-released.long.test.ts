// A server that is killed anywhere in a release leaves an order whose seller is paid once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEnds, PATIENCE_MS, walk } from './order-walk.ts';

test('a release continues where a kill -9 of the server interrupted it', { timeout: PATIENCE_MS }, async (t) => {
  const walked = await walk(t, {
    sagas: { release: 'all', 'release of two milestones': 'ends' },
    sharedPlaces: 14,
  });
  assert.ok(walked.killed.length > 35);
  await t.test('an approved milestone is not approved again, and the seller is paid once (defects 8 and 10)', () =>
    assertEnds(walked, 'release'),
  );
  await t.test('a milestone that is already paid is not paid again (defects 8 and 10)', () =>
    assertEnds(walked, 'release of two milestones'),
  );
});
