// A server that is killed in the middle of an order's operation leaves an order that ends as if nobody had disturbed it. Every
// operation is killed after the ledger took its last transaction, and a funding at every call. The walks through every step of
// every operation are in order-*.long.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEndOfSubmitted, assertEnds, PATIENCE_MS, walk } from './order-walk.ts';

test('every operation of an order goes on where a kill -9 of the server left it', {
  timeout: PATIENCE_MS,
}, async (t) => {
  const walked = await walk(t, {
    sagas: {
      create: 'submissions',
      fund: 'calls',
      release: 'last submission',
      refund: 'last submission',
      split: 'last submission',
    },
    sharedPlaces: 10,
    inJob: true,
  });
  assert.ok(walked.killed.length > 8);
  await t.test('a contract that was deployed is found again, and no other is deployed (defect 6)', () =>
    assertEndOfSubmitted(walked, 'create', 'after'),
  );
  await t.test(
    'a transaction that a job resumed when the next server was killed too is settled by the one after it',
    () => assertEndOfSubmitted(walked, 'create', 'before'),
  );
  await t.test('a crash after the ledger took the funding never restores the balance (defects 3 and 8)', () =>
    assertEnds(walked, 'fund'),
  );
  await t.test('a release that the ledger has pays the seller once (defects 8 and 10)', () =>
    assertEndOfSubmitted(walked, 'release'),
  );
  await t.test('a refund that the ledger has pays the buyer back once (defects 8 and 11)', () =>
    assertEndOfSubmitted(walked, 'refund'),
  );
  await t.test('a split that the ledger has gives each side its part once (defects 8 and 12)', () =>
    assertEndOfSubmitted(walked, 'split'),
  );
});
