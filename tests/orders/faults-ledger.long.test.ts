// Every fault of every read and payment that an order makes on the ledger: what is answered, and that the order always ends as
// it should, with each thing done once. A few rows are in faults.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meetAll } from './fault-case.ts';
import { ACCOUNTS, PAYMENTS, TRANSACTION_READS } from './fault-table.ts';

const STRUCK = 'every fault has struck';

test('whatever a read of an account meets, its order ends right', { concurrency: 6 }, async (t) =>
  assert.deepEqual(await meetAll(t, ACCOUNTS), [], STRUCK),
);

// One after the other: a read of a transaction, and a payment among others, cannot be told from those of other orders.
test('whatever a read of a transaction meets, its order ends right', async (t) =>
  assert.deepEqual(await meetAll(t, TRANSACTION_READS), [], STRUCK));

test('whatever a payment of the treasury meets, the funding that waits for it ends right', async (t) =>
  assert.deepEqual(await meetAll(t, PAYMENTS), [], STRUCK));
