// Top-ups while the payment provider and its webhooks misbehave. An unknown outcome stays open until it is known, a refusal is
// final, and afterwards the books agree with the provider.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Any, HURRIED, openSharedPayments } from './payment-fixture.ts';
import { askFor, assertWebhooksEndTheSame, paymentsFoundAgain, refresh } from './topup-fault-checks.ts';

test('creating: the client does not notice one outage', async (t) => {
  const fixture = await openSharedPayments(t);
  fixture.arm({ operation: 'payin', fault: 'outage' });
  const { status, id } = await fixture.aTopup();
  assert.equal(status, 'TOPUP_AWAITING_USER_CONFIRMATION');
  assert.equal(fixture.payins().length, 1);
  await fixture.pay(id, 'confirm');
  await fixture.assertSettled();
});

// The other fault is in faults.long.test.ts.
for (const fault of ['outage', 'lost-answer']) {
  test(`creating: after a lasting ${fault} the top-up is found again by its id, and there is one payment`, async (t) => {
    assert.equal(await paymentsFoundAgain(t, fault), 1);
  });
}

test('creating: a lost answer whose payment is paid before the next poll is credited by its webhook', async (t) => {
  const fixture = await openSharedPayments(t, { env: HURRIED });
  const { arm, pay, get, available, assertSettled } = fixture;
  arm({ operation: 'payin', fault: 'lost-answer' });
  arm({ operation: 'webhook', fault: 'drop', match: 'payin.created' });
  const { id } = await askFor(fixture);
  await pay(id, 'confirm');
  const paid = await get(id);
  assert.deepEqual([paid.status, paid.providerPayinId], ['TOPUP_SUCCEEDED', fixture.payins()[0]!.id]);
  assert.equal(await available(paid.userId), '25.50');
  await assertSettled();
});

test('creating: a slow answer is accepted', async (t) => {
  const fixture = await openSharedPayments(t);
  fixture.arm({ operation: 'payin', fault: 'slow', delayMs: 150 });
  assert.equal((await fixture.aTopup()).status, 'TOPUP_AWAITING_USER_CONFIRMATION');
});

test('creating: a payment that failed at once is a failed top-up, with HTTP 200 or not', async (t) => {
  const fixture = await openSharedPayments(t);
  fixture.arm({ operation: 'payin', fault: 'http-200-failed' });
  const { status, id } = await askFor(fixture);
  assert.equal(status, 500);
  const { status: state, failureReason } = await fixture.get(id);
  assert.deepEqual([state, failureReason], ['TOPUP_FAILED', 'The payment could not be completed']);
  await fixture.assertSettled();
});

test('creating: a payment over another amount is cancelled, so that it cannot be paid', async (t) => {
  const fixture = await openSharedPayments(t);
  fixture.arm({ operation: 'payin', fault: 'wrong-amount' });
  const { status, id } = await askFor(fixture);
  assert.equal(status, 500);
  const { status: state, errorCode } = await fixture.get(id);
  assert.deepEqual([state, errorCode], ['TOPUP_FAILED', 'MISMATCH']);
  assert.deepEqual(
    fixture.payins().map((payin) => payin.status),
    ['CANCELED'],
  );
  await fixture.assertSettled();
});

test('creating: a payment over another amount that cannot be cancelled yet is cancelled later', async (t) => {
  const fixture = await openSharedPayments(t, { env: HURRIED, webhooks: false });
  fixture.arm({ operation: 'payin', fault: 'wrong-amount' });
  fixture.arm({ operation: 'payin-cancel', fault: 'timeout' });
  const { status, id } = await askFor(fixture);
  assert.equal(status, 504);
  assert.equal((await fixture.get(id)).status, 'TOPUP_CREATED');
  const again = await fixture.app.call(`POST /topups/${id}/refresh`);
  assert.equal(again.status, 500);
  assert.equal((await fixture.get(id)).status, 'TOPUP_FAILED');
  assert.deepEqual(
    fixture.payins().map((payin) => payin.status),
    ['CANCELED'],
  );
  await fixture.assertSettled();
});

test('cancelling: a failure with HTTP 200 is not a cancellation', async (t) => {
  const fixture = await openSharedPayments(t, { webhooks: false });
  const { id } = await fixture.aTopup();
  fixture.arm({ operation: 'payin-cancel', fault: 'http-200-failed', match: id });
  const { status, body } = await fixture.app.call(`POST /topups/${id}/cancel`);
  assert.deepEqual([status, body.error.details.currentState], [409, 'TOPUP_FAILED']);
});

test('cancelling: after an outage it is still waiting, and can be paid or cancelled', async (t) => {
  const fixture = await openSharedPayments(t, { webhooks: false });
  const { app, sandbox, arm, get, aTopup } = fixture;
  const { id } = await aTopup();
  arm({ operation: 'payin-cancel', fault: 'outage', count: 9, match: id });
  assert.equal((await app.call(`POST /topups/${id}/cancel`)).status, 504);
  assert.equal((await get(id)).status, 'TOPUP_AWAITING_USER_CONFIRMATION');
  sandbox.faults.clear();
  assert.equal((await app.call(`POST /topups/${id}/cancel`)).body.data.status, 'TOPUP_CANCELED');
  await fixture.assertSettled();
});

test('webhooks: a refresh makes up for a dropped webhook, and a forged one is refused', async (t) => {
  const fixture = await openSharedPayments(t);
  const { arm, aTopup, pay, get, sandbox, available, assertSettled } = fixture;
  for (const fault of ['drop', 'bad-signature']) {
    const { id, userId } = await aTopup();
    arm({ operation: 'webhook', fault, match: id });
    await pay(id, 'confirm');
    assert.equal((await get(id)).status, 'TOPUP_AWAITING_USER_CONFIRMATION', fault);
    await refresh(fixture, id);
    assert.equal(await available(userId), '25.50', fault);
  }
  const codes = fixture.payins().map(({ code }) => code);
  const forged = (sandbox.describe().webhooks as Any[]).find(
    ({ fault, code }) => fault === 'bad-signature' && codes.includes(code),
  );
  assert.deepEqual(
    forged.attempts.map(({ outcome }: Any) => outcome),
    [{ status: 401 }],
  );
  await assertSettled();
});

test('webhooks: duplicate, late and reordered webhooks have the same result, in the native spelling', async (t) => {
  await assertWebhooksEndTheSame(t, 'native');
});

test('webhooks: a webhook that did not reach the server is sent again and accepted', async (t) => {
  const fixture = await openSharedPayments(t, { movesClock: true });
  const { app, aTopup, pay, listenAt, control, available, assertSettled } = fixture;
  const { id, userId } = await aTopup();
  listenAt({ ...app, url: 'http://127.0.0.1:9' });
  await pay(id, 'confirm');
  listenAt(app);
  assert.equal(await available(userId), '0.00');
  await control('POST /clock/advance', { seconds: 10 });
  assert.equal(await available(userId), '25.50');
  await assertSettled();
});

test('an expired payment cancels its top-up, and the event says that the provider cancelled it', async (t) => {
  const { aTopup, control, get, eventsOf, assertSettled } = await openSharedPayments(t, { movesClock: true });
  const made = await aTopup();
  await control('POST /clock/advance', { seconds: 16 * 24 * 3_600 });
  const { status, failureReason } = await get(made.id);
  assert.deepEqual([status, failureReason], ['TOPUP_CANCELED', 'The payin expired']);
  const [type, payload] = (await eventsOf(made)).at(-1)!;
  assert.deepEqual([type, payload.canceledBy], ['topup.canceled', 'payment-provider']);
  await assertSettled();
});
