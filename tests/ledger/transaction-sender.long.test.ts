// Every fault of the ledger that a payment can meet, from its submission to the reads around it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVERY, nameOf, payUnder, payWhile, sharePayments } from './payment-faults.ts';

const fixture = sharePayments();

for (const row of EVERY.submissions) {
  test(`a payment under ${nameOf(row)} is settled as the ledger has it, once`, async () => {
    const state = row.said === 'yes' ? 'SUCCEEDED' : 'FAILED';
    assert.deepEqual(await payUnder(await fixture(), row), { state, paid: row.paid });
  });
}

for (const row of EVERY.reads) {
  test(`a payment while ${row.operation} answers with ${row.fault} is paid once, and the books are right`, async () => {
    assert.equal(await payWhile(await fixture(), row), '5.0000000');
  });
}
