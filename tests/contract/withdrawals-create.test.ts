// POST /withdrawals, by status.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { HURRIED, LIMITED } from '../payments/payment-fixture.ts';
import { openSharedWithdrawals, openWithdrawals, type WithdrawalFixture } from '../payments/withdrawal-fixture.ts';
import { codeOf } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';

const UNKNOWN = 'usr_01J9ZQ8H7K5M3N2P4R6S8T0V1W';

const bodyOf = (userId: string, more: object = {}) => ({
  userId,
  amount: '25.50',
  currency: 'USD',
  destination: { type: 'bank' },
  ...more,
});

/** No withdrawal was stored and the balance is unchanged. */
const assertUntouched = async ({ app, balance, payouts }: WithdrawalFixture, userId: string): Promise<void> => {
  assert.deepEqual(await app.sql('select id from withdrawals'), []);
  assert.equal(await balance(userId), '100.00 + 0.00');
  assert.deepEqual(payouts(), []);
};

test('201 reserves the money, emits an event, and sends no request to a provider', async (t) => {
  const { aWithdrawal, balance, eventsOf, audited, payouts, app, assertSound } = await openSharedWithdrawals(t);
  const made = await aWithdrawal({ body: { destination: { type: 'bank', ref: 'ending in 1234' } } });
  const { id, userId, createdAt, updatedAt, destination, ...rest } = made;
  assert.match(id, /^wdr_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.equal(createdAt, updatedAt);
  assert.deepEqual(rest, {
    amount: '25.50',
    currency: 'USD',
    status: 'WITHDRAWAL_CREATED',
    providerPayoutId: null,
    transactionHash: null,
    actionRequired: null,
    actionUrl: null,
    failureReason: null,
    errorCode: null,
    canceledBy: null,
    committedAt: null,
    completedAt: null,
  });
  assert.match(destination.email, /^user-\d+@shop\.example$/);
  assert.deepEqual(
    { ...destination, email: null },
    { type: 'bank', ref: 'ending in 1234', address: null, email: null },
  );
  assert.equal(await balance(userId), '74.50 + 25.50');
  assert.deepEqual((await eventsOf(made)).slice(1), [
    [
      'balance.debited',
      {
        userId,
        amount: '25.50',
        currency: 'USD',
        destination: 'withdrawal',
        destinationId: id,
        previousAvailableBalance: '100.00',
        newAvailableBalance: '74.50',
      },
    ],
    [
      'withdrawal.created',
      {
        withdrawalId: id,
        userId,
        amount: '25.50',
        currency: 'USD',
        destinationType: 'bank',
        destinationRef: 'ending in 1234',
      },
    ],
  ]);
  const [entry] = await audited(id);
  assert.deepEqual([entry.action, entry.user_id, entry.result], ['WITHDRAWAL_CREATED', userId, 'SUCCESS']);
  assert.deepEqual(payouts(), []);
  const [held] = await app.sql('select order_ref, remaining, locked from reservations');
  assert.deepEqual(held, { order_ref: id, remaining: '255000000', locked: true });
  await assertSound();
});

test('201 and no balance route can draw on what is set aside', async (t) => {
  const { aWithdrawal, app, balance } = await openSharedWithdrawals(t);
  const { id, userId } = await aWithdrawal();
  const path = `/users/${userId}/balance`;
  const asks = [
    app.call(`POST ${path}/release`, { body: { amount: '1.00' } }),
    app.call(`POST ${path}/release`, { body: { amount: '1.00', orderId: id } }),
    app.call(`POST ${path}/deduct-reserved`, { body: { amount: '1.00', orderId: id } }),
    app.call(`POST ${path}/cancel-reservation`, { body: { orderId: id } }),
  ];
  assert.deepEqual((await Promise.all(asks)).map(codeOf), [
    '400 RESERVATION_EXCEEDED',
    '400 RESERVATION_EXCEEDED',
    '400 INVALID_RESERVED_DEDUCTION',
    '404 RESERVATION_NOT_FOUND',
  ]);
  assert.equal(await balance(userId), '74.50 + 25.50');
});

test('201 in the other spelling, and with commit it is paid out without another word', async (t) => {
  const { app, aPayee, untilPayout, eventsOf, assertSound } = await openSharedWithdrawals(t);
  const user_id = await aPayee();
  const { status, body } = await app.call('POST /withdrawals', {
    body: { user_id, amount: '1', currency: 'USD', destination: { type: 'bank' }, commit: true },
  });
  assert.equal(status, 201);
  const { id, userId, status: state, committedAt } = body.data;
  assert.deepEqual([state, committedAt !== null], ['WITHDRAWAL_COMMITTED', true]);
  await untilPayout(id, 'COMMITTED');
  const types = (await eventsOf({ id, userId })).map(([type]) => type);
  assert.deepEqual(types.slice(1), ['balance.debited', 'withdrawal.created', 'withdrawal.committed']);
  await assertSound();
});

test('201 once for an Idempotency-Key, with commit too: one withdrawal, one payment', async (t) => {
  const { app, aPayee, payouts, untilPayout, balance, assertSound } = await openSharedWithdrawals(t);
  const userId = await aPayee();
  const ask = { body: bodyOf(userId, { commit: true }), headers: { 'idempotency-key': randomUUID() } };
  const first = await app.call('POST /withdrawals', ask);
  const again = await app.call('POST /withdrawals', ask);
  assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text]);
  assert.equal(again.headers.get('idempotency-replay'), 'true');
  await untilPayout(first.body.data.id, 'COMMITTED');
  assert.equal(payouts().length, 1);
  assert.equal(await balance(userId), '74.50 + 25.50');
  const other = await app.call('POST /withdrawals', { ...ask, body: bodyOf(userId) });
  assert.equal(codeOf(other), '409 IDEMPOTENCY_KEY_REUSED');
  await assertSound();
});

test('201 names whom the provider pays: the destination, else the linked account, else the user', async (t) => {
  const { app, expect, aWithdrawal, aPayee } = await openSharedWithdrawals(t);
  const userId = await aPayee();
  const emailFor = async (destination: object) =>
    (await aWithdrawal({ userId, body: { amount: '1', destination } })).destination.email;
  const other = { type: 'bank', email: 'other@bank.example' };
  assert.match(await emailFor({ type: 'payment_account' }), /^user-/);
  assert.equal(await emailFor(other), 'other@bank.example');
  const link = (body: object) => expect(`POST /users/${userId}/payment-account/link`, { body, status: 200 });
  await link({ email: 'linked@pay.example' });
  assert.equal(await emailFor({ type: 'bank', email: 'linked@pay.example' }), 'linked@pay.example');
  assert.equal(await emailFor({ type: 'payment_account' }), 'linked@pay.example');
  assert.equal((await app.sql('select 1 from withdrawals')).length, 4);
});

test('400 VALIDATION_ERROR for a field that is missing, unknown, none, or of another kind of destination', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const userId = await fixture.aPayee();
  const address = Keypair.random().publicKey();
  const { amount: _, ...noAmount } = bodyOf(userId);
  const { currency: __, ...noCurrency } = bodyOf(userId);
  const { destination: ___, ...nowhere } = bodyOf(userId);
  for (const body of [
    ...[noAmount, noCurrency, nowhere],
    bodyOf(userId, { currency: 'EUR' }),
    bodyOf(userId, { amount: 5 }),
    bodyOf(userId, { provider: 'x' }),
    bodyOf(userId, { user_id: userId }),
    bodyOf(userId, { commit: 'yes' }),
    bodyOf(userId, { destination: 'bank' }),
    bodyOf(userId, { destination: {} }),
    bodyOf(userId, { destination: { type: 'cash' } }),
    bodyOf(userId, { destination: { type: 'bank', iban: 'x' } }),
    bodyOf(userId, { destination: { type: 'bank', email: 'unknown' } }),
    bodyOf(userId, { destination: { type: 'bank', address } }),
    bodyOf(userId, { destination: { type: 'payment_account', address } }),
    bodyOf(userId, { destination: { type: 'crypto', address, email: 'a@b.example' } }),
    bodyOf(userId, { currency: 'XLM' }),
    bodyOf(userId, { currency: 'XLM', destination: { type: 'payment_account' } }),
  ]) {
    const answer = await fixture.app.call('POST /withdrawals', { body });
    const shown = JSON.stringify(body);
    assert.equal(codeOf(answer), '400 VALIDATION_ERROR', shown);
    assert.equal(answer.body.error.details.validationErrors.length, 1, answer.text);
  }
  await assertUntouched(fixture, userId);
});

test('400 INVALID_AMOUNT with the limits for an amount outside them, and for none', async (t) => {
  const { app, aPayee } = await openSharedWithdrawals(t, { env: LIMITED });
  const userId = await aPayee();
  for (const amount of ['1.99', '50.01', '0', '-5', '5.001', 'ten', '1e1', '99999999999999']) {
    const answer = await app.call('POST /withdrawals', { body: bodyOf(userId, { amount }) });
    assert.equal(codeOf(answer), '400 INVALID_AMOUNT', amount);
    const { requestId: _, docUrl: __, ...details } = answer.body.error.details;
    assert.deepEqual(details, { amount, min: '2.00', max: '50.00', currency: 'USD' });
  }
  for (const amount of ['2', '50.00']) {
    const { status } = await app.call('POST /withdrawals', { body: bodyOf(userId, { amount }) });
    assert.equal(status, 201, amount);
  }
});

test('404 USER_NOT_FOUND for an unknown id and for a user of another marketplace, before the destination is checked', async (t) => {
  const { app, aPayee } = await openSharedWithdrawals(t);
  const stranger = await aPayee({ key: await app.key(['*'], 'mkt_other') });
  for (const userId of [UNKNOWN, 'unknown', stranger]) {
    const body = bodyOf(userId, { destination: { type: 'crypto', address: 'nonsense' } });
    assert.equal(codeOf(await app.call('POST /withdrawals', { body })), '404 USER_NOT_FOUND', userId);
  }
});

test('409 INVALID_STATE for a suspended user, until the user is back', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const userId = await fixture.aPayee();
  await fixture.app.call(`POST /users/${userId}/suspend`);
  const answer = await fixture.app.call('POST /withdrawals', { body: bodyOf(userId, { commit: true }) });
  assert.equal(codeOf(answer), '409 INVALID_STATE');
  assert.equal(answer.body.error.details.currentState, 'SUSPENDED');
  await assertUntouched(fixture, userId);
  await fixture.app.call(`POST /users/${userId}/reactivate`);
  assert.equal((await fixture.app.call('POST /withdrawals', { body: bodyOf(userId) })).status, 201);
});

test('422 INSUFFICIENT_FUNDS for more than is available; what is reserved does not count', async (t) => {
  const { app, aWithdrawal, balance } = await openSharedWithdrawals(t);
  const { userId } = await aWithdrawal({ body: { amount: '60.00' } });
  const answer = await app.call('POST /withdrawals', { body: bodyOf(userId, { amount: '40.01', commit: true }) });
  assert.equal(codeOf(answer), '422 INSUFFICIENT_FUNDS');
  const { requested, available, currency } = answer.body.error.details;
  assert.deepEqual([requested, available, currency], ['40.01', '40.00', 'USD']);
  assert.equal(await balance(userId), '40.00 + 60.00');
});

test('422 WITHDRAWAL_DESTINATION_INVALID without an e-mail address that the provider could pay', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { app, expect, control } = fixture;
  const { id: userId } = await expect('POST /users', { body: { externalUserId: 'no-mail' }, status: 201 });
  await expect(`POST /users/${userId}/balance/credit`, { body: { amount: '100.00' }, status: 200 });
  await control('POST /users', { email: 'closed@pay.example', status: 'inactive' });
  for (const destination of [
    { type: 'bank' },
    { type: 'payment_account' },
    { type: 'payment_account', email: 'unknown@pay.example' },
    { type: 'payment_account', email: 'closed@pay.example' },
  ]) {
    const answer = await app.call('POST /withdrawals', { body: bodyOf(userId, { destination }) });
    assert.equal(codeOf(answer), '422 WITHDRAWAL_DESTINATION_INVALID', JSON.stringify(destination));
    const { destinationType, reason } = answer.body.error.details;
    assert.deepEqual([destinationType, reason.length > 10], [destination.type, true]);
  }
  await assertUntouched(fixture, userId);
});

test('422 WITHDRAWAL_DESTINATION_INVALID for an address that cannot be paid on the ledger', async (t) => {
  const fixture = await openSharedWithdrawals(t, { ledger: true });
  const { app, aPayee, outsideAddress, addressOf, fillTreasury } = fixture;
  const userId = await aPayee();
  const good = await outsideAddress();
  const own = await addressOf(userId);
  const treasury = await fillTreasury();
  const typo = `${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`;
  const destinations = {
    'it needs an address.': {},
    'it is not the address of an account.': { address: typo },
    'there is no such account on the ledger.': { address: Keypair.random().publicKey() },
    'the account does not trust the asset.': { address: await outsideAddress({ trust: false }) },
    'it is an address of our own.': { address: own },
  };
  for (const [reason, more] of Object.entries(destinations)) {
    const destination = { type: 'crypto', ...more };
    const answer = await app.call('POST /withdrawals', { body: bodyOf(userId, { destination }) });
    assert.equal(codeOf(answer), '422 WITHDRAWAL_DESTINATION_INVALID', reason);
    assert.equal(answer.body.error.details.reason, reason);
  }
  const house = { type: 'crypto', address: treasury };
  const answer = await app.call('POST /withdrawals', { body: bodyOf(userId, { destination: house }) });
  assert.equal(codeOf(answer), '422 WITHDRAWAL_DESTINATION_INVALID');
  await assertUntouched(fixture, userId);
});

test('201 for the native asset to an account that trusts nothing', async (t) => {
  const { aPayee, outsideAddress, aWithdrawal, balance } = await openSharedWithdrawals(t, { ledger: true });
  const userId = await aPayee({ currency: 'XLM' });
  const destination = { type: 'crypto', address: await outsideAddress({ trust: false }) };
  const { status } = await aWithdrawal({ userId, body: { currency: 'XLM', destination } });
  assert.equal(status, 'WITHDRAWAL_CREATED');
  assert.equal(await balance(userId, 'XLM'), '74.50 + 25.50');
});

test('201 for a ledger address without a request to the payment provider, which is down', async (t) => {
  let requests = 0;
  const down = createServer((socket) => {
    requests++;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  afterwards(t, () => down.close());
  await once(down, 'listening');
  const env = { PAYMENT_PROVIDER_URL: `http://127.0.0.1:${(down.address() as AddressInfo).port}` };
  const { app, aPayee, outsideAddress, aWithdrawal } = await openWithdrawals(t, { ledger: true, env });
  const userId = await aPayee();
  const destination = { type: 'crypto', address: await outsideAddress() };
  assert.equal((await aWithdrawal({ userId, body: { destination } })).status, 'WITHDRAWAL_CREATED');
  assert.equal(requests, 0);
  assert.equal(codeOf(await app.call('POST /withdrawals', { body: bodyOf(userId) })), '504 PROVIDER_TIMEOUT');
  assert.ok(requests > 0, 'a bank withdrawal needs the provider');
});

test('429 RATE_LIMITED per user where a rate is set; a repeat still gets its answer', async (t) => {
  const { app, aPayee } = await openSharedWithdrawals(t, { env: LIMITED });
  const userId = await aPayee();
  const other = await aPayee();
  const ask = { body: bodyOf(userId, { amount: '3' }), headers: { 'idempotency-key': randomUUID() } };
  const first = await app.call('POST /withdrawals', ask);
  assert.equal((await app.call('POST /withdrawals', { body: ask.body })).status, 201);
  const answer = await app.call('POST /withdrawals', { body: ask.body });
  assert.equal(codeOf(answer), '429 RATE_LIMITED');
  const { limit, windowSeconds, retryAfter } = answer.body.error.details;
  assert.deepEqual([limit, windowSeconds, answer.headers.get('retry-after')], [2, 60, String(retryAfter)]);
  assert.equal((await app.call('POST /withdrawals', ask)).text, first.text);
  assert.equal((await app.call('POST /withdrawals', { body: bodyOf(other) })).status, 201);
});

test('500 INTERNAL_ERROR and no withdrawal where there is no payment provider', async (t) => {
  const app = await openApp(t);
  const userId = await app.aUser({ available: '100.00' });
  const answer = await app.call('POST /withdrawals', { body: bodyOf(userId) });
  assert.equal(codeOf(answer), '500 INTERNAL_ERROR');
  assert.match(answer.body.error.message, /PAYMENT_PROVIDER_URL/);
  assert.deepEqual(await app.sql('select id from withdrawals'), []);
});

test('504 PROVIDER_TIMEOUT and nothing is taken while a payment account cannot be looked up', async (t) => {
  const down = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  afterwards(t, () => down.close());
  await once(down, 'listening');
  const env = { ...HURRIED, PAYMENT_PROVIDER_URL: `http://127.0.0.1:${(down.address() as AddressInfo).port}` };
  const fixture = await openWithdrawals(t, { env });
  const userId = await fixture.aPayee();
  const destination = { type: 'payment_account' };
  const answer = await fixture.app.call('POST /withdrawals', { body: bodyOf(userId, { destination }) });
  assert.equal(codeOf(answer), '504 PROVIDER_TIMEOUT');
  assert.equal(answer.body.error.details.provider, 'payment-provider');
  await assertUntouched(fixture, userId);
});
