// Top-ups while the payment provider and its webhooks misbehave: what is not known stays open until it is known, a no is a
// no, and afterwards the money is the same here and there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Any, openPayments, type PaymentStand } from './payment-stand.ts';

const HURRIED = { PROVIDER_TIMEOUT_MS: '1000' };

/** Asks for a top-up that the provider does not answer well. */
const ask = async ({ app }: PaymentStand): Promise<{ status: number; id: string; error: Any }> => {
  const { status, body } = await app.call('POST /topups', { body: { userId: await app.user(), amount: '25.50' } });
  assert.ok(status >= 500, `${status}`);
  return { status, id: body.error.details.topupId, error: body.error };
};

const payinsOf = ({ sandbox }: PaymentStand) => sandbox.describe().payins as { id: string; status: string }[];

const refresh = async ({ app }: PaymentStand, id: string): Promise<Any> => {
  const { status, body, text } = await app.call(`POST /topups/${id}/refresh`);
  assert.equal(status, 200, text);
  return body.data;
};

test('creating: one outage is bridged, and nobody notices', async (t) => {
  const stand = await openPayments(t);
  stand.arm({ operation: 'payin', fault: 'outage' });
  const { status, id } = await stand.topup();
  assert.equal(status, 'TOPUP_AWAITING_USER_CONFIRMATION');
  assert.equal(payinsOf(stand).length, 1);
  await stand.pay(id, 'confirm');
  await stand.assertSettled();
});

for (const fault of ['outage', 'timeout', 'lost-answer']) {
  test(`creating: after a lasting ${fault} the top-up is found again by its id, and there is one payment`, async (t) => {
    const stand = await openPayments(t, { env: HURRIED, webhooks: false });
    const { arm, sandbox, get, pay, available, assertSettled } = stand;
    arm({ operation: 'payin', fault, count: 9 });
    const { status, id, error } = await ask(stand);
    assert.deepEqual([status, error.code], [504, 'PROVIDER_TIMEOUT']);
    assert.equal((await get(id)).status, 'TOPUP_CREATED');
    sandbox.faults.clear();
    assert.equal((await refresh(stand, id)).status, 'TOPUP_AWAITING_USER_CONFIRMATION');
    assert.equal(payinsOf(stand).length, 1);
    await pay(id, 'confirm');
    const paid = await refresh(stand, id);
    assert.equal(await available(paid.userId), '25.50');
    await assertSettled();
  });
}

test('creating: a lost answer whose payment is paid before anybody looks is credited by its event', async (t) => {
  const stand = await openPayments(t, { env: HURRIED });
  const { arm, pay, get, available, assertSettled } = stand;
  arm({ operation: 'payin', fault: 'lost-answer' });
  arm({ operation: 'webhook', fault: 'drop', match: 'payin.created' });
  const { id } = await ask(stand);
  await pay(id, 'confirm');
  const paid = await get(id);
  assert.deepEqual([paid.status, paid.providerPayinId], ['TOPUP_SUCCEEDED', payinsOf(stand)[0]!.id]);
  assert.equal(await available(paid.userId), '25.50');
  await assertSettled();
});

test('creating: a slow answer is an answer', async (t) => {
  const stand = await openPayments(t);
  stand.arm({ operation: 'payin', fault: 'slow', delayMs: 150 });
  assert.equal((await stand.topup()).status, 'TOPUP_AWAITING_USER_CONFIRMATION');
});

test('creating: a payment that failed at once is a failed top-up, with HTTP 200 or not', async (t) => {
  const stand = await openPayments(t);
  stand.arm({ operation: 'payin', fault: 'http-200-failed' });
  const { status, id } = await ask(stand);
  assert.equal(status, 500);
  const { status: state, failureReason } = await stand.get(id);
  assert.deepEqual([state, failureReason], ['TOPUP_FAILED', 'The payment could not be completed']);
  await stand.assertSettled();
});

test('creating: a payment over another amount is called off, so that nobody can pay it', async (t) => {
  const stand = await openPayments(t);
  stand.arm({ operation: 'payin', fault: 'wrong-amount' });
  const { status, id } = await ask(stand);
  assert.equal(status, 500);
  const { status: state, errorCode } = await stand.get(id);
  assert.deepEqual([state, errorCode], ['TOPUP_FAILED', 'MISMATCH']);
  assert.deepEqual(
    payinsOf(stand).map((payin) => payin.status),
    ['CANCELED'],
  );
  await stand.assertSettled();
});

test('creating: a payment over another amount that cannot be called off yet is called off later', async (t) => {
  const stand = await openPayments(t, { env: HURRIED, webhooks: false });
  stand.arm({ operation: 'payin', fault: 'wrong-amount' });
  stand.arm({ operation: 'payin-cancel', fault: 'timeout' });
  const { status, id } = await ask(stand);
  assert.equal(status, 504);
  assert.equal((await stand.get(id)).status, 'TOPUP_CREATED');
  const again = await stand.app.call(`POST /topups/${id}/refresh`);
  assert.equal(again.status, 500);
  assert.equal((await stand.get(id)).status, 'TOPUP_FAILED');
  assert.deepEqual(
    payinsOf(stand).map((payin) => payin.status),
    ['CANCELED'],
  );
  await stand.assertSettled();
});

test('cancelling: a failure that says HTTP 200 is no cancellation', async (t) => {
  const stand = await openPayments(t, { webhooks: false });
  const { id } = await stand.topup();
  stand.arm({ operation: 'payin-cancel', fault: 'http-200-failed' });
  const { status, body } = await stand.app.call(`POST /topups/${id}/cancel`);
  assert.deepEqual([status, body.error.details.currentState], [409, 'TOPUP_FAILED']);
});

test('cancelling: after an outage it is still waiting, and can be paid or cancelled', async (t) => {
  const stand = await openPayments(t, { webhooks: false });
  const { app, sandbox, arm, get, topup } = stand;
  const { id } = await topup();
  arm({ operation: 'payin-cancel', fault: 'outage', count: 9 });
  assert.equal((await app.call(`POST /topups/${id}/cancel`)).status, 504);
  assert.equal((await get(id)).status, 'TOPUP_AWAITING_USER_CONFIRMATION');
  sandbox.faults.clear();
  assert.equal((await app.call(`POST /topups/${id}/cancel`)).body.data.status, 'TOPUP_CANCELED');
  await stand.assertSettled();
});

test('webhooks: a dropped one is made up for by a look, a forged one is refused', async (t) => {
  const stand = await openPayments(t);
  const { arm, topup, pay, get, sandbox, available, assertSettled } = stand;
  for (const fault of ['drop', 'bad-signature']) {
    const { id, userId } = await topup();
    arm({ operation: 'webhook', fault });
    await pay(id, 'confirm');
    assert.equal((await get(id)).status, 'TOPUP_AWAITING_USER_CONFIRMATION', fault);
    await refresh(stand, id);
    assert.equal(await available(userId), '25.50', fault);
  }
  const forged = (sandbox.describe().webhooks as Any[]).find((webhook) => webhook.fault === 'bad-signature');
  assert.deepEqual(
    forged.attempts.map(({ outcome }: Any) => outcome),
    [{ status: 401 }],
  );
  await assertSettled();
});

for (const spelling of ['native', 'neutral'] as const) {
  test(`webhooks: duplicates, late ones and another order end in the same, in the ${spelling} spelling`, async (t) => {
    const stand = await openPayments(t, { spelling });
    const { arm, topup, pay, get, control, available, assertSettled } = stand;
    const twice = await topup();
    arm({ operation: 'webhook', fault: 'duplicate' });
    await pay(twice.id, 'confirm');
    assert.equal(await available(twice.userId), '25.50');

    const late = await topup();
    arm({ operation: 'webhook', fault: 'late', delayMs: 60_000 });
    await pay(late.id, 'confirm');
    assert.equal(await available(late.userId), '0.00');
    await control('POST /clock/advance', { seconds: 61 });
    assert.equal(await available(late.userId), '25.50');

    const turned = await topup();
    arm({ operation: 'webhook', fault: 'reorder' });
    await pay(turned.id, 'process');
    assert.equal((await get(turned.id)).status, 'TOPUP_AWAITING_USER_CONFIRMATION');
    await pay(turned.id, 'confirm');
    await control('POST /clock/advance', { seconds: 61 });
    assert.equal((await get(turned.id)).status, 'TOPUP_SUCCEEDED');
    assert.equal(await available(turned.userId), '25.50');
    await assertSettled();
  });
}

test('webhooks: one that we could not take is told again, and then taken', async (t) => {
  const stand = await openPayments(t);
  const { app, topup, pay, listenAt, control, available, assertSettled } = stand;
  const { id, userId } = await topup();
  listenAt({ ...app, url: 'http://127.0.0.1:9' });
  await pay(id, 'confirm');
  listenAt(app);
  assert.equal(await available(userId), '0.00');
  await control('POST /clock/advance', { seconds: 10 });
  assert.equal(await available(userId), '25.50');
  await assertSettled();
});

test('an expired payment is a cancelled top-up, and the provider is named for it', async (t) => {
  const { topup, control, get, told, assertSettled } = await openPayments(t);
  const made = await topup();
  await control('POST /clock/advance', { seconds: 16 * 24 * 3_600 });
  const { status, failureReason } = await get(made.id);
  assert.deepEqual([status, failureReason], ['TOPUP_CANCELED', 'The payin expired']);
  const [type, payload] = (await told(made)).at(-1)!;
  assert.deepEqual([type, payload.canceledBy], ['topup.canceled', 'payment-provider']);
  await assertSettled();
});
