// Every fault of the escrow provider and of the ledger that a funding or a release can meet.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVERY, expectedOf, fundUnder, releaseWhile } from './call-faults.ts';
import { shareEscrowFixtures } from './escrow-fixture.ts';

const fixture = shareEscrowFixtures();

for (const row of EVERY.fundings) {
  test(`a funding under ${row.fault} of ${row.operation} is made once or not at all, and booked as on the ledger`, async () => {
    assert.deepEqual(await fundUnder(await fixture(), row), expectedOf(row));
  });
}

for (const row of EVERY.reads) {
  test(`a release while ${row.operation} answers with ${row.fault} is booked as paid`, async () => {
    assert.equal(await releaseWhile(await fixture(), row), '28.4100000');
  });
}
