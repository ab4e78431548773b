// The faults that withdrawal-ledger-faults.test.ts leaves out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertGoesOnUnread, paymentsSentAgain } from './ledger-fault-checks.ts';

test('a payment that did not get through (timeout) is sent again unchanged, and arrives once', async (t) => {
  assert.deepEqual(await paymentsSentAgain(t, 'timeout'), [{ state: 'SUCCEEDED', failure: null }]);
});

test('while the ledger cannot be read (transaction-get) nothing is lost, and the withdrawal continues afterwards', async (t) => {
  await assertGoesOnUnread(t, 'transaction-get');
});
