// The pairs of event and state that webhook-states.test.ts leaves out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEvent, CHOSEN, othersThan } from './payin-event-checks.ts';
import { HURRIED, openSharedPayments } from './payment-fixture.ts';

for (const [from, chosen] of CHOSEN) {
  test(`every other event about a payment that is ${from} moves it forward, or is accepted and changes nothing`, async (t) => {
    const fixture = await openSharedPayments(t, { webhooks: false, env: HURRIED });
    for (const type of othersThan(chosen)) await assertEvent(fixture, { from, type });
    const { body } = await fixture.app.call('GET /audit/proof');
    assert.equal(body.data.holds, true);
  });
}
