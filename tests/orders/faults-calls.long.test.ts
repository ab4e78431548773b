// Every fault of every call that an order makes at the escrow provider: what is answered, and that the order always ends as
// it should, with each thing done once. A few rows are in faults.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meetAll } from './fault-case.ts';
import { CALLS, LOOKS, OUTAGES, SUBMISSIONS } from './fault-table.ts';

// Eight failing calls in a row would make us stop asking the provider for a while: each row has one, an outage three.
const AT_ONCE = { concurrency: 6 };
const TWO_AT_ONCE = { concurrency: 2 };
const STRUCK = 'every fault has struck';

test('whatever a call of the contract meets, its order ends right (defects 2, 4, 5, 10, 11, 12)', AT_ONCE, async (t) =>
  assert.deepEqual(await meetAll(t, CALLS), [], STRUCK),
);

test('whatever a submission meets, its order ends right (defects 5, 10, 11)', AT_ONCE, async (t) =>
  assert.deepEqual(await meetAll(t, SUBMISSIONS), [], STRUCK),
);

test('a contract that was not named is found, whatever the call that reads it meets', AT_ONCE, async (t) =>
  assert.deepEqual(await meetAll(t, LOOKS), [], STRUCK),
);

test('a provider that cannot be reached for a while only delays an order', TWO_AT_ONCE, async (t) =>
  assert.deepEqual(await meetAll(t, OUTAGES), [], STRUCK),
);
