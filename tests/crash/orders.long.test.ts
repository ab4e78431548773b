// An order whose server is killed in the middle of an operation ends like an order without a kill. The server is killed before the
// ledger gets the first transaction of a creation and of a funding, and after it accepted the last one of every operation.
// order-*.long.test.ts has every step of every operation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEndOfSubmitted, killAtPoints, TIMEOUT_MS } from './order-kills.ts';

test('every operation of an order continues where a kill -9 of the server interrupted it', {
  timeout: TIMEOUT_MS,
}, async (t) => {
  const result = await killAtPoints(t, {
    sagas: {
      create: 'submissions',
      fund: 'submissions',
      release: 'last submission',
      refund: 'last submission',
      split: 'last submission',
    },
    sharedPlaces: 5,
    inJob: true,
  });
  assert.equal(result.killed.length, 7);
  await t.test('a deployed contract is found again, and no second one is deployed (defect 6)', () =>
    assertEndOfSubmitted(result, 'create', 'after'),
  );
  await t.test(
    'a transaction that a job resumed when the next server was killed too is settled by the one after it',
    () => assertEndOfSubmitted(result, 'create', 'before'),
  );
  await t.test(
    'a crash before or after the ledger accepted the funding never restores the balance (defects 3 and 8)',
    () => assertEndOfSubmitted(result, 'fund'),
  );
  await t.test('a release that the ledger has accepted pays the seller once (defects 8 and 10)', () =>
    assertEndOfSubmitted(result, 'release'),
  );
  await t.test('a refund that the ledger has accepted pays the buyer back once (defects 8 and 11)', () =>
    assertEndOfSubmitted(result, 'refund'),
  );
  await t.test('a split that the ledger has accepted pays each side its part once (defects 8 and 12)', () =>
    assertEndOfSubmitted(result, 'split'),
  );
});
