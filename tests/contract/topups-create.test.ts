// POST /topups, by status.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { HURRIED, LIMITED, openPayments, openSharedPayments } from '../payments/payment-fixture.ts';
import { openApp } from '../support/shared-app.ts';

test("201 returns the URL for the payer's confirmation, and emits an event for both steps", async (t) => {
  const { app, sandbox, payins, aTopup, eventsOf, audited, assertSettled } = await openSharedPayments(t);
  const made = await aTopup({
    body: {
      description: 'For the game',
      returnUrl: 'https://shop.example/paid?x=1',
      cancelUrl: 'http://shop.example/',
    },
  });
  const { id, userId, providerPayinId, createdAt, updatedAt, ...rest } = made;
  assert.match(id, /^top_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.ok(createdAt <= updatedAt);
  assert.deepEqual(rest, {
    amount: '25.50',
    currency: 'USD',
    status: 'TOPUP_AWAITING_USER_CONFIRMATION',
    description: 'For the game',
    confirmationUri: `${sandbox.urls.payer}/payin/${providerPayinId}`,
    returnUrl: 'https://shop.example/paid?x=1',
    cancelUrl: 'http://shop.example/',
    failureReason: null,
    errorCode: null,
  });
  assert.deepEqual(await eventsOf(made), [
    ['topup.created', { userId, amount: '25.50', currency: 'USD' }],
    ['topup.confirmation_required', { topupId: id, confirmationUri: rest.confirmationUri }],
  ]);
  assert.deepEqual(
    (await audited(id)).map(({ action, user_id, result }) => [action, user_id, result]),
    [
      ['TOPUP_CREATED', userId, 'SUCCESS'],
      ['TOPUP_CONFIRMATION_REQUIRED', userId, 'SUCCESS'],
    ],
  );
  const [payin] = payins();
  const callback = `${app.url}/api/v1/topups/${id}/callback`;
  assert.deepEqual(
    [payin!.code, payin!.amount, payin!.description, payin!.confirmationUri, payin!.cancelUri],
    [id, 25.5, 'For the game', callback, callback],
  );
  await assertSettled();
});

test('201 in the other spelling, for USDC, and back to the address that the settings name', async (t) => {
  const { app, payins } = await openSharedPayments(t, { env: LIMITED });
  const user_id = await app.aUser();
  const { status, body } = await app.call('POST /topups', {
    body: { user_id, amount: '3', currency: 'USDC', return_url: 'https://shop.example/paid' },
  });
  assert.equal(status, 201);
  const { id, amount, currency, returnUrl, description } = body.data;
  assert.deepEqual([amount, currency, returnUrl, description], ['3.00', 'USDC', 'https://shop.example/paid', null]);
  const [payin] = payins();
  assert.equal(payin!.confirmationUri, `https://pay.shop.example/api/v1/topups/${id}/callback`);
});

test('201 once for an Idempotency-Key: a repeat gets the same top-up', async (t) => {
  const { app, payins } = await openSharedPayments(t);
  const ask = { body: { userId: await app.aUser(), amount: '5' }, headers: { 'idempotency-key': randomUUID() } };
  const first = await app.call('POST /topups', ask);
  const again = await app.call('POST /topups', ask);
  assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text]);
  assert.equal(again.headers.get('idempotency-replay'), 'true');
  assert.equal(payins().length, 1);
  const other = await app.call('POST /topups', { ...ask, body: { ...ask.body, amount: '6' } });
  assert.deepEqual([other.status, other.body.error.code], [409, 'IDEMPOTENCY_KEY_REUSED']);
});

test('201 with a new top-up when the Idempotency-Key is a day old, whatever the body is', async (t) => {
  const { app, payins, restart } = await openPayments(t);
  const userId = await app.aUser();
  const key = await app.key(['write']);
  const asking = () => {
    const headers = { 'idempotency-key': randomUUID() };
    return (amount: string) => ({ key, body: { userId, amount }, headers });
  };
  const young = asking();
  const old = asking();
  const youngId = (await app.call('POST /topups', young('5'))).body.data.id;
  const oldId = (await app.call('POST /topups', old('5'))).body.data.id;
  await app.sql("update idempotency_answers set expires_at = now() - interval '1 second'");
  await app.sql("update topups set created_at = now() - interval '23 hours 59 minutes' where id = $1", [youngId]);
  await app.sql("update topups set created_at = now() - interval '24 hours 1 minute' where id = $1", [oldId]);

  const later = await restart();
  const same = await later.call('POST /topups', young('5'));
  assert.deepEqual([same.status, same.body.data.id], [201, youngId], 'its day is not over');
  const other = await later.call('POST /topups', old('6'));
  const again = await later.call('POST /topups', old('6'));
  assert.deepEqual([other.status, other.body.data.amount, again.text], [201, '6.00', other.text]);
  assert.notEqual(other.body.data.id, oldId);
  assert.equal((await later.call(`GET /topups/${oldId}`)).body.data.amount, '5.00');
  assert.equal(payins().length, 3);
});

test('400 VALIDATION_ERROR for a field that is missing, unknown or none', async (t) => {
  const { app, payins } = await openSharedPayments(t);
  const good = { userId: await app.aUser(), amount: '5.00' };
  const long = `https://shop.example/${'x'.repeat(2_000)}`;
  for (const body of [
    { userId: good.userId },
    { amount: '5.00' },
    { ...good, currency: 'XLM' },
    { ...good, currency: 'EUR' },
    { ...good, provider: 'x' },
    { ...good, user_id: good.userId },
    { ...good, amount: 5 },
    { ...good, description: '' },
    { ...good, returnUrl: 'javascript:alert(1)' },
    { ...good, returnUrl: 'shop.example' },
    { ...good, cancelUrl: 'ftp://shop.example/' },
    { ...good, cancelUrl: 'https://user:word@shop.example/' },
    { ...good, returnUrl: 'https://' },
    { ...good, returnUrl: long },
  ]) {
    const answer = await app.call('POST /topups', { body });
    const shown = JSON.stringify(body).slice(0, 200);
    assert.deepEqual([answer.status, answer.body.error.code], [400, 'VALIDATION_ERROR'], shown);
    assert.equal(answer.body.error.details.validationErrors.length, 1, shown);
  }
  assert.deepEqual(await app.sql('select id from topups'), []);
  assert.deepEqual(payins(), []);
});

test('400 VALIDATION_ERROR when no currency is given and the base currency cannot be paid in', async (t) => {
  const { app } = await openPayments(t, { env: { BASE_CURRENCY: 'XLM' } });
  const userId = await app.aUser();
  const { status, body } = await app.call('POST /topups', { body: { userId, amount: '5' } });
  assert.deepEqual([status, body.error.details.validationErrors], [400, ['currency must be one of USD, USDC']]);
});

test('400 INVALID_AMOUNT with the limits for an amount outside them, and for none', async (t) => {
  const { app } = await openSharedPayments(t, { env: LIMITED });
  const userId = await app.aUser();
  for (const amount of ['1.99', '100.01', '0', '-5', '5.001', 'ten', '1e3', '99999999999999']) {
    const { status, body } = await app.call('POST /topups', { body: { userId, amount } });
    assert.deepEqual([status, body.error.code], [400, 'INVALID_AMOUNT'], amount);
    const { requestId: _, docUrl: __, ...details } = body.error.details;
    assert.deepEqual(details, { amount, min: '2.00', max: '100.00', currency: 'USD' });
  }
  for (const amount of ['2', '100.00']) {
    assert.equal((await app.call('POST /topups', { body: { userId, amount } })).status, 201, amount);
  }
});

test('404 USER_NOT_FOUND for an unknown id and for a user of another marketplace', async (t) => {
  const { app } = await openSharedPayments(t);
  const stranger = await app.aUser({ key: await app.key(['*'], 'mkt_other') });
  for (const userId of ['usr_01J9ZQ8H7K5M3N2P4R6S8T0V1W', 'unknown', stranger]) {
    const { status, body } = await app.call('POST /topups', { body: { userId, amount: '5' } });
    assert.deepEqual([status, body.error.code], [404, 'USER_NOT_FOUND'], userId);
  }
});

test('409 INVALID_STATE for a suspended user, until the user is back', async (t) => {
  const { app, payins } = await openSharedPayments(t);
  const userId = await app.aUser();
  await app.call(`POST /users/${userId}/suspend`);
  const { status, body } = await app.call('POST /topups', { body: { userId, amount: '5' } });
  assert.deepEqual([status, body.error.code], [409, 'INVALID_STATE']);
  assert.equal(body.error.details.currentState, 'SUSPENDED');
  assert.deepEqual(payins(), []);
  await app.call(`POST /users/${userId}/reactivate`);
  assert.equal((await app.call('POST /topups', { body: { userId, amount: '5' } })).status, 201);
});

test('429 RATE_LIMITED per user where a rate is set; a replay does not count', async (t) => {
  const { app } = await openSharedPayments(t, { env: LIMITED });
  const userId = await app.aUser();
  const other = await app.aUser();
  const ask = { body: { userId, amount: '5' }, headers: { 'idempotency-key': randomUUID() } };
  for (let i = 0; i < 3; i++) assert.equal((await app.call('POST /topups', ask)).status, 201);
  assert.equal((await app.call('POST /topups', { body: ask.body })).status, 201);
  const { status, headers, body } = await app.call('POST /topups', { body: ask.body });
  assert.deepEqual([status, body.error.code], [429, 'RATE_LIMITED']);
  const { limit, windowSeconds, retryAfter } = body.error.details;
  assert.deepEqual([limit, windowSeconds, headers.get('retry-after')], [2, 60, String(retryAfter)]);
  assert.equal((await app.call('POST /topups', { body: { userId: other, amount: '5' } })).status, 201);
});

test('500 INTERNAL_ERROR with the reason when the provider refuses, and the top-up has failed', async (t) => {
  const { app, arm, get, eventsOf } = await openSharedPayments(t);
  arm({ operation: 'payin', fault: 'refusal' });
  const userId = await app.aUser();
  const { status, body } = await app.call('POST /topups', { body: { userId, amount: '5' } });
  assert.deepEqual([status, body.error.code], [500, 'INTERNAL_ERROR']);
  const { topupId, reason, errorCode } = body.error.details;
  assert.equal(errorCode, '415903');
  const stored = await get(topupId);
  assert.deepEqual(
    [stored.status, stored.failureReason, stored.errorCode, stored.providerPayinId],
    ['TOPUP_FAILED', reason, '415903', null],
  );
  const last = (await eventsOf(stored)).at(-1);
  assert.deepEqual(last, ['topup.failed', { topupId, userId, amount: '5.00', reason, errorCode: '415903' }]);
});

test('500 INTERNAL_ERROR and no top-up where there is no payment provider', async (t) => {
  const app = await openApp(t);
  const { status, body } = await app.call('POST /topups', { body: { userId: await app.aUser(), amount: '5' } });
  assert.deepEqual([status, body.error.code], [500, 'INTERNAL_ERROR']);
  assert.match(body.error.message, /PAYMENT_PROVIDER_URL/);
  assert.deepEqual(await app.sql('select id from topups'), []);
});

test('504 PROVIDER_TIMEOUT names the top-up, which can be continued', async (t) => {
  const { app, arm, get } = await openSharedPayments(t, { env: HURRIED });
  arm({ operation: 'payin', fault: 'timeout' });
  const { status, body } = await app.call('POST /topups', { body: { userId: await app.aUser(), amount: '5' } });
  assert.deepEqual([status, body.error.code], [504, 'PROVIDER_TIMEOUT']);
  const { topupId, provider } = body.error.details;
  assert.equal(provider, 'payment-provider');
  assert.equal((await get(topupId)).status, 'TOPUP_CREATED');
  const carried = await app.call(`POST /topups/${topupId}/refresh`);
  assert.deepEqual([carried.status, carried.body.data.status], [200, 'TOPUP_AWAITING_USER_CONFIRMATION']);
});

test('a repeat with the same Idempotency-Key after a 504 goes on with the same top-up, and never makes a second', async (t) => {
  const { app, arm, get } = await openSharedPayments(t, { env: HURRIED });
  const userId = await app.aUser();
  const ask = { body: { userId, amount: '5.00' }, headers: { 'idempotency-key': randomUUID() } };
  arm({ operation: 'payin', fault: 'timeout', count: 2 });
  const first = await app.call('POST /topups', ask);
  const again = await app.call('POST /topups', ask);
  assert.deepEqual([first.status, again.status], [504, 504]);
  assert.equal(again.body.error.details.topupId, first.body.error.details.topupId);

  const other = await app.call('POST /topups', { ...ask, body: { userId, amount: '6.00' } });
  assert.deepEqual([other.status, other.body.error.code], [409, 'IDEMPOTENCY_KEY_REUSED']);

  const done = await app.call('POST /topups', ask);
  assert.deepEqual([done.status, done.body.data.id], [201, first.body.error.details.topupId]);
  assert.equal((await get(done.body.data.id)).status, 'TOPUP_AWAITING_USER_CONFIRMATION');
  assert.equal((await app.sql('select count(*)::integer as count from topups'))[0].count, 1);
  const replayed = await app.call('POST /topups', ask);
  assert.deepEqual([replayed.status, replayed.headers.get('idempotency-replay')], [201, 'true']);
});

test('a repeat with the same Idempotency-Key after a refusal is the same refusal of the same top-up', async (t) => {
  const { app, arm } = await openSharedPayments(t);
  const ask = { body: { userId: await app.aUser(), amount: '5.00' }, headers: { 'idempotency-key': randomUUID() } };
  arm({ operation: 'payin', fault: 'refusal' });
  const first = await app.call('POST /topups', ask);
  const again = await app.call('POST /topups', ask);
  assert.deepEqual([first.status, again.status], [500, 500]);
  const [one, other] = [first, again].map(({ body }) => ({
    ...body.error,
    details: { ...body.error.details, requestId: '' },
  }));
  assert.deepEqual(other, one);
  assert.equal((await app.sql('select count(*)::integer as count from topups'))[0].count, 1);
});
