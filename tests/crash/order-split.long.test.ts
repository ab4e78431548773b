// A server that is killed anywhere in the resolution of a dispute leaves an order of which each side has its part once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEnds, PATIENCE_MS, walk } from './order-walk.ts';

test('the split of a disputed order goes on where a kill -9 of the server left it', {
  timeout: PATIENCE_MS,
}, async (t) => {
  const walked = await walk(t, {
    sagas: { split: 'ends', 'split of two milestones': 'ends' },
    sharedPlaces: 13,
  });
  assert.ok(walked.killed.length > 20);
  await t.test('a dispute that is half resolved on the ledger is resolved to its end (defects 8 and 12)', () =>
    assertEnds(walked, 'split'),
  );
  await t.test('a milestone that is split already is not split again (defects 8 and 12)', () =>
    assertEnds(walked, 'split of two milestones'),
  );
});
