// A server that is killed anywhere in the resolution of a dispute leaves an order that pays each side its part once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEnds, killAtPoints, TIMEOUT_MS } from './order-kills.ts';

test('the split of a disputed order continues where a kill -9 of the server interrupted it', {
  timeout: TIMEOUT_MS,
}, async (t) => {
  const result = await killAtPoints(t, {
    sagas: { split: 'ends', 'split of two milestones': 'ends' },
    sharedPlaces: 13,
  });
  assert.ok(result.killed.length > 20);
  await t.test('a dispute that is half resolved on the ledger is fully resolved (defects 8 and 12)', () =>
    assertEnds(result, 'split'),
  );
  await t.test('a milestone that is already split is not split again (defects 8 and 12)', () =>
    assertEnds(result, 'split of two milestones'),
  );
});
