// Every fault of every read and payment that an order makes on the ledger: the answer, and that the order always reaches the
// correct end, with each step done once. A few rows are in faults.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meetAll } from './fault-case.ts';
import { ACCOUNTS, PAYMENTS, TRANSACTION_READS } from './fault-table.ts';

const STRUCK = 'every fault happened';

test('whatever fault a read of an account meets, its order reaches the correct end', { concurrency: 6 }, async (t) =>
  assert.deepEqual(await meetAll(t, ACCOUNTS), [], STRUCK),
);

// One after the other: a read of a transaction, and a payment in a batch, cannot be distinguished from those of other orders.
test('whatever fault a read of a transaction meets, its order reaches the correct end', async (t) =>
  assert.deepEqual(await meetAll(t, TRANSACTION_READS), [], STRUCK));

test('whatever fault a payment of the treasury meets, the funding that waits for it reaches the correct end', async (t) =>
  assert.deepEqual(await meetAll(t, PAYMENTS), [], STRUCK));
