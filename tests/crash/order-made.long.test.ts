// A server that is killed anywhere while it creates or funds an escrow leaves an order with one contract, funded once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEnds, killAtPoints, TIMEOUT_MS } from './order-kills.ts';

test('creating and funding an escrow continue where a kill -9 of the server interrupted them', {
  timeout: TIMEOUT_MS,
}, async (t) => {
  const result = await killAtPoints(t, { sagas: { create: 'all', fund: 'all' }, sharedPlaces: 6 });
  assert.ok(result.killed.length > 25);
  await t.test('a deployed contract is found again, and no second one is deployed (defect 6)', () =>
    assertEnds(result, 'create'),
  );
  await t.test('a crash after the ledger accepted the funding never restores the balance (defects 3 and 8)', () =>
    assertEnds(result, 'fund'),
  );
});
