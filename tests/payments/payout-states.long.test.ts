// The pairs of event and state that payout-states.test.ts leaves out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEvent, CHOSEN, othersThan } from './payout-event-checks.ts';
import { openSharedWithdrawals } from './withdrawal-fixture.ts';

for (const [from, chosen] of CHOSEN) {
  test(`every other event about a payment that is ${from} moves it forward, or is accepted and changes nothing`, async (t) => {
    const fixture = await openSharedWithdrawals(t, { webhooks: false });
    for (const type of othersThan(chosen)) await assertEvent(fixture, { from, type });
    const proof = await fixture.expect('GET /audit/proof', { status: 200 });
    assert.equal(proof.holds, true);
  });
}
