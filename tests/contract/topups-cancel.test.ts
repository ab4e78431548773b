// POST /topups/{id}/cancel, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HURRIED, openSharedPayments } from '../payments/payment-fixture.ts';

test('200 cancels the top-up at the provider first, and shows the caller and the reason', async (t) => {
  const { app, payins, aTopup, eventsOf, audited, assertSettled } = await openSharedPayments(t);
  const made = await aTopup();
  const { id, userId } = made;
  const { status, body } = await app.call(`POST /topups/${id}/cancel`, { body: { reason: 'ordered twice' } });
  assert.equal(status, 200);
  const { updatedAt, ...rest } = body.data;
  assert.ok(updatedAt > made.updatedAt);
  const { updatedAt: _, ...before } = made;
  assert.deepEqual(rest, { ...before, status: 'TOPUP_CANCELED', failureReason: 'ordered twice' });
  const [payin] = payins();
  assert.equal(payin!.status, 'CANCELED');
  const canceledBy = (await app.call('GET /auth/me')).body.data.apiKeyId;
  const canceled = (await eventsOf(made)).filter(([type]) => type === 'topup.canceled');
  const payload = { topupId: id, userId, amount: '25.50', canceledBy, reason: 'ordered twice' };
  assert.deepEqual(canceled, [['topup.canceled', payload]]);
  assert.deepEqual((await audited(id)).map(({ action }) => action).slice(2), [
    'TOPUP_CANCEL_REQUESTED',
    'TOPUP_CANCELED',
  ]);
  await assertSettled();
});

test('200 without a body, too', async (t) => {
  const { app, aTopup } = await openSharedPayments(t);
  const { id } = await aTopup();
  const { status, body } = await app.call(`POST /topups/${id}/cancel`);
  assert.deepEqual([status, body.data.status, body.data.failureReason], [200, 'TOPUP_CANCELED', null]);
});

test('400 VALIDATION_ERROR for a body with anything else', async (t) => {
  const { app, aTopup, get } = await openSharedPayments(t);
  const { id } = await aTopup();
  const { status, body } = await app.call(`POST /topups/${id}/cancel`, { body: { why: 'so' } });
  assert.deepEqual([status, body.error.code], [400, 'VALIDATION_ERROR']);
  assert.equal((await get(id)).status, 'TOPUP_AWAITING_USER_CONFIRMATION');
});

test('409 INVALID_STATE in every state but while it awaits the payer', async (t) => {
  const { app, aTopup, pay, arm } = await openSharedPayments(t, { env: HURRIED });
  const moves = {
    process: 'TOPUP_PROCESSING',
    confirm: 'TOPUP_SUCCEEDED',
    fail: 'TOPUP_FAILED',
    cancel: 'TOPUP_CANCELED',
  };
  const cancel = async (id: string) => {
    const { status, body } = await app.call(`POST /topups/${id}/cancel`);
    const { currentState, allowedActions } = body.error.details;
    return [status, body.error.code, currentState, allowedActions];
  };
  for (const [move, state] of Object.entries(moves)) {
    const { id } = await aTopup();
    await pay(id, move as keyof typeof moves);
    assert.deepEqual(await cancel(id), [409, 'INVALID_STATE', state, []]);
  }
  arm({ operation: 'payin', fault: 'timeout' });
  const lost = await app.call('POST /topups', { body: { userId: await app.aUser(), amount: '5' } });
  assert.deepEqual(await cancel(lost.body.error.details.topupId), [409, 'INVALID_STATE', 'TOPUP_CREATED', []]);
});

test('409 INVALID_STATE with the current status when the payer had confirmed and no webhook had come', async (t) => {
  const { app, aTopup, pay, available, assertSettled } = await openSharedPayments(t, { webhooks: false });
  const { id, userId } = await aTopup();
  await pay(id, 'confirm');
  const { status, body } = await app.call(`POST /topups/${id}/cancel`);
  assert.deepEqual([status, body.error.details.currentState], [409, 'TOPUP_SUCCEEDED']);
  assert.equal(await available(userId), '25.50');
  await assertSettled();
});

test('500 INTERNAL_ERROR when the provider refuses for another reason, and it still waits', async (t) => {
  const { app, aTopup, arm, get } = await openSharedPayments(t);
  const { id } = await aTopup();
  arm({ operation: 'payin-cancel', fault: 'refusal', match: id });
  const { status, body } = await app.call(`POST /topups/${id}/cancel`);
  assert.deepEqual([status, body.error.code, body.error.details.errorCode], [500, 'INTERNAL_ERROR', '415903']);
  assert.equal((await get(id)).status, 'TOPUP_AWAITING_USER_CONFIRMATION');
  assert.equal((await app.call(`POST /topups/${id}/cancel`)).status, 200);
});

test('504 PROVIDER_TIMEOUT when the answer is lost; a repeat finds the top-up cancelled by the first caller', async (t) => {
  const { app, aTopup, arm, eventsOf, assertSettled } = await openSharedPayments(t, { webhooks: false, env: HURRIED });
  const made = await aTopup();
  arm({ operation: 'payin-cancel', fault: 'lost-answer', match: made.id });
  const lost = await app.call(`POST /topups/${made.id}/cancel`, { body: { reason: 'first' } });
  assert.deepEqual([lost.status, lost.body.error.code], [504, 'PROVIDER_TIMEOUT']);
  const { status, body } = await app.call(`POST /topups/${made.id}/refresh`);
  assert.deepEqual([status, body.data.status, body.data.failureReason], [200, 'TOPUP_CANCELED', 'first']);
  const [type, payload] = (await eventsOf(made)).at(-1)!;
  const me = (await app.call('GET /auth/me')).body.data.apiKeyId;
  assert.deepEqual([type, payload.canceledBy, payload.reason], ['topup.canceled', me, 'first']);
  await assertSettled();
});
