// Every fault of the ledger that payments and activations in one transaction can meet.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVERY, nameOf, PAID_AND_ACTIVATED, payAndActivateUnder, payAndActivateWhile } from './batch-faults.ts';
import { shareServer } from './ledger-fixture.ts';

const impatient = shareServer({ timeoutMs: 1_000 });

for (const script of EVERY.scripts) {
  test(`payments and an activation in one transaction under ${nameOf(script)} happen once each`, async () => {
    assert.deepEqual(await payAndActivateUnder(impatient(), script), PAID_AND_ACTIVATED);
  });
}

for (const row of EVERY.reads) {
  test(`activation and payment while ${row.operation} answers with ${row.fault} happen once each`, async () => {
    assert.equal(await payAndActivateWhile(impatient(), row), '5.0000000');
  });
}
