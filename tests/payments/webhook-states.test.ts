// Events about payments in, against the states of their top-ups: late and reordered events change nothing and are not marked
// as failed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AWAITING, assertEvent, CHOSEN, CREATED, reach } from './payin-event-checks.ts';
import { HURRIED, openSharedPayments } from './payment-fixture.ts';

for (const [from, chosen] of CHOSEN) {
  test(`an event about a payment that is ${from} moves it forward, or is accepted and changes nothing`, async (t) => {
    const fixture = await openSharedPayments(t, { webhooks: false, env: HURRIED });
    for (const type of chosen) await assertEvent(fixture, { from, type });
    const { body } = await fixture.app.call('GET /audit/proof');
    assert.equal(body.data.holds, true);
  });
}

test('after an event about a new payment the top-up has the confirmation URL of the lost answer', async (t) => {
  const fixture = await openSharedPayments(t, { webhooks: false, env: HURRIED });
  const lost = await reach(fixture, CREATED);
  const [payin] = fixture.payins();
  await fixture.deliver({ type: 'payin.created', data: { id: payin!.id, code: lost.id, amount: 25.5 } });
  const now = await fixture.get(lost.id);
  assert.deepEqual([now.status, now.confirmationUri], [AWAITING, `${fixture.sandbox.urls.payer}/payin/${payin!.id}`]);
});

test('an event about a new payment changes nothing while the provider does not give the confirmation URL', async (t) => {
  const fixture = await openSharedPayments(t, { webhooks: false, env: HURRIED });
  const lost = await reach(fixture, CREATED);
  const [payin] = fixture.payins();
  fixture.arm({ operation: 'payin', fault: 'outage', count: 9 });
  const event = { type: 'payin.created', data: { id: payin!.id, code: lost.id, amount: 25.5 } };
  assert.equal((await fixture.deliver(event)).text, '{"status":"ok","processed":true}');
  assert.deepEqual(await fixture.get(lost.id), lost);
});
