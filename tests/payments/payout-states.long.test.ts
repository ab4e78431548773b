// The pairs of event and state that payout-states.test.ts leaves out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEvent, CHOSEN, othersThan } from './payout-event-checks.ts';
import { openSharedWithdrawals } from './withdrawal-stand.ts';

for (const [from, chosen] of CHOSEN) {
  test(`every other event about a payment that is ${from} leads on, or is taken and changes nothing`, async (t) => {
    const stand = await openSharedWithdrawals(t, { webhooks: false });
    for (const type of othersThan(chosen)) await assertEvent(stand, { from, type });
    const proof = await stand.expect('GET /audit/proof', { status: 200 });
    assert.equal(proof.holds, true);
  });
}
