// The faults that withdrawal-ledger-faults.test.ts leaves out.

import { test } from 'node:test';
import { assertGoesOnUnread, assertSentAgain } from './ledger-faulty.ts';

test('a payment that did not get through (timeout) is sent again as it was, and arrives once', async (t) => {
  await assertSentAgain(t, 'timeout');
});

test('while the ledger cannot be read (transaction-get) nothing is lost, and it goes on afterwards', async (t) => {
  await assertGoesOnUnread(t, 'transaction-get');
});
