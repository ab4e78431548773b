// POST /topups/{id}/refresh, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HURRIED, openPayments, openSharedPayments } from '../payments/payment-fixture.ts';

test('200 takes what the provider says: still waiting, then being processed, then paid', async (t) => {
  const { app, aTopup, pay, eventsOf, available, assertSettled } = await openSharedPayments(t, { webhooks: false });
  const made = await aTopup();
  const { id, userId, providerPayinId } = made;
  const refresh = async () => {
    const { status, body } = await app.call(`POST /topups/${id}/refresh`);
    assert.equal(status, 200);
    return body.data;
  };
  assert.deepEqual(await refresh(), made);
  await pay(id, 'process');
  assert.equal((await refresh()).status, 'TOPUP_PROCESSING');
  await pay(id, 'confirm');
  assert.equal(await available(userId), '0.00');
  const paid = await refresh();
  assert.deepEqual([paid.status, paid.providerPayinId], ['TOPUP_SUCCEEDED', providerPayinId]);
  assert.deepEqual(await refresh(), paid);
  assert.equal(await available(userId), '25.50');
  const credited = { previousAvailableBalance: '0.00', newAvailableBalance: '25.50' };
  assert.deepEqual((await eventsOf(made)).slice(2), [
    ['topup.processing', { topupId: id, providerPayinId }],
    ['balance.credited', { userId, amount: '25.50', currency: 'USD', source: 'topup', sourceId: id, ...credited }],
    [
      'topup.succeeded',
      { topupId: id, userId, amount: '25.50', currency: 'USD', newAvailableBalance: '25.50', providerPayinId },
    ],
  ]);
  await assertSettled();
});

test('200 credits the balance of the currency that was asked for', async (t) => {
  const { app, aTopup, pay, available, assertSettled } = await openSharedPayments(t, { webhooks: false });
  const { id, userId } = await aTopup({ body: { currency: 'USDC', amount: '7' } });
  await pay(id, 'confirm');
  await app.call(`POST /topups/${id}/refresh`);
  assert.deepEqual([await available(userId, 'USDC'), await available(userId)], ['7.00', '0.00']);
  await assertSettled();
});

test('200 shows the reason of a failure, and who cancelled', async (t) => {
  const { app, aTopup, pay, eventsOf, assertSettled } = await openSharedPayments(t, { webhooks: false });
  const failed = await aTopup();
  const canceled = await aTopup();
  await pay(failed.id, 'fail', 'The card was declined');
  await pay(canceled.id, 'cancel', 'The payer left');
  const ask = async (id: string) => (await app.call(`POST /topups/${id}/refresh`)).body.data;
  const one = await ask(failed.id);
  assert.deepEqual([one.status, one.failureReason], ['TOPUP_FAILED', 'The card was declined']);
  const other = await ask(canceled.id);
  assert.deepEqual([other.status, other.failureReason], ['TOPUP_CANCELED', 'The payer left']);
  const { id: topupId, userId, providerPayinId } = failed;
  const about = { topupId, userId, amount: '25.50' };
  assert.deepEqual((await eventsOf(failed)).at(-1), [
    'topup.failed',
    { ...about, reason: 'The card was declined', providerPayinId },
  ]);
  assert.deepEqual((await eventsOf(canceled)).at(-1), [
    'topup.canceled',
    {
      topupId: canceled.id,
      userId: canceled.userId,
      amount: '25.50',
      canceledBy: 'payment-provider',
      reason: 'The payer left',
    },
  ]);
  await assertSettled();
});

test('200 without asking the provider for one that is over', async (t) => {
  const { app, aTopup, pay, arm } = await openSharedPayments(t);
  arm({ operation: 'payin-get', fault: 'refusal', count: 9 });
  const ends = { confirm: 'TOPUP_SUCCEEDED', cancel: 'TOPUP_CANCELED', fail: 'TOPUP_FAILED' };
  for (const [move, end] of Object.entries(ends)) {
    const { id } = await aTopup();
    await pay(id, move as keyof typeof ends);
    const { status, body } = await app.call(`POST /topups/${id}/refresh`);
    assert.deepEqual([status, body.data.status], [200, end]);
  }
});

test('500 INTERNAL_ERROR for a record over another amount, and nothing moves', async (t) => {
  const { app, aTopup, pay, arm, available, get, assertSettled } = await openSharedPayments(t, { webhooks: false });
  const { id, userId } = await aTopup();
  await pay(id, 'confirm');
  arm({ operation: 'payin-get', fault: 'wrong-amount', match: id });
  const { status, body } = await app.call(`POST /topups/${id}/refresh`);
  assert.deepEqual([status, body.error.code], [500, 'INTERNAL_ERROR']);
  assert.match(body.error.message, /26\.50.*25\.50/);
  assert.deepEqual([await available(userId), (await get(id)).status], ['0.00', 'TOPUP_AWAITING_USER_CONFIRMATION']);
  assert.equal((await app.call(`POST /topups/${id}/refresh`)).status, 200);
  assert.equal(await available(userId), '25.50');
  await assertSettled();
});

test('500 INTERNAL_ERROR with the reason when the provider refuses to show it', async (t) => {
  const { app, aTopup, arm, get } = await openSharedPayments(t, { webhooks: false });
  const { id } = await aTopup();
  arm({ operation: 'payin-get', fault: 'refusal', match: id });
  const { status, body } = await app.call(`POST /topups/${id}/refresh`);
  assert.deepEqual([status, body.error.code, body.error.details.errorCode], [500, 'INTERNAL_ERROR', '415903']);
  assert.equal((await get(id)).status, 'TOPUP_AWAITING_USER_CONFIRMATION');
});

test('500 INTERNAL_ERROR when the provider has forgotten it', async (t) => {
  const { app, aTopup, control, get } = await openPayments(t, { webhooks: false });
  const { id } = await aTopup();
  await control('POST /reset');
  const { status, body } = await app.call(`POST /topups/${id}/refresh`);
  assert.deepEqual([status, body.error.code], [500, 'INTERNAL_ERROR']);
  assert.equal((await get(id)).status, 'TOPUP_AWAITING_USER_CONFIRMATION');
});

test('504 PROVIDER_TIMEOUT when the provider is silent, and the top-up stays as it was', async (t) => {
  const { app, aTopup, arm, get } = await openSharedPayments(t, { webhooks: false, env: HURRIED });
  const { id } = await aTopup();
  arm({ operation: 'payin-get', fault: 'timeout', match: id });
  const { status, body } = await app.call(`POST /topups/${id}/refresh`);
  assert.deepEqual([status, body.error.code], [504, 'PROVIDER_TIMEOUT']);
  assert.deepEqual([body.error.details.provider, body.error.details.topupId], ['payment-provider', id]);
  assert.equal((await get(id)).status, 'TOPUP_AWAITING_USER_CONFIRMATION');
});
