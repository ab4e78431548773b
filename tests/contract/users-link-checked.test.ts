// POST /users/{id}/payment-account/link beside a payment provider: the account is checked there, and payouts go where the record says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { HURRIED } from '../payments/payment-fixture.ts';
import { openSharedWithdrawals, type WithdrawalFixture } from '../payments/withdrawal-fixture.ts';
import { codeOf } from '../support/app.ts';

const link = ({ app }: WithdrawalFixture, userId: string, body: object) =>
  app.call(`POST /users/${userId}/payment-account/link`, { body });

const withdraw = ({ app }: WithdrawalFixture, userId: string, destination: object) =>
  app.call('POST /withdrawals', { body: { userId, amount: '5.00', currency: 'USD', destination } });

/** The link as it is stored, and how many events and audit entries the marketplace has. */
const stored = async ({ app }: WithdrawalFixture, userId: string) => [
  await app.sql(`select payment_account_user_id from users where id = '${userId}'`),
  await app.sql('select (select count(*) from events) as events, (select count(*) from audit_entries) as entries'),
];

const eventsOf = async ({ app }: WithdrawalFixture, type: string) =>
  (await app.sql(`select envelope from events where event_type = '${type}' order by position`)).map(
    (row) => JSON.parse(row.envelope).payload,
  );

const idAtProvider = ({ sandbox }: WithdrawalFixture, email: string): Promise<string> =>
  fetch(`${sandbox.urls.payment}/users/${email}`, {
    headers: { authorization: `Basic ${Buffer.from('sandbox-key:sandbox-secret').toString('base64')}` },
  })
    .then((answer) => answer.json())
    .then((user) => (user as { id: string }).id);

test('422 PAYMENT_ACCOUNT_INVALID for an account that the provider does not know, or that is not active', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const userId = await fixture.aPayee();
  const before = await stored(fixture, userId);
  for (const body of [
    { email: 'unknown.ada@pay.example' },
    { paymentAccountUserId: 'unknown-7' },
    { email: 'inactive.ada@pay.example' },
    { paymentAccountUserId: 'inactive-7' },
  ]) {
    const answer = await link(fixture, userId, body);
    assert.equal(codeOf(answer), '422 PAYMENT_ACCOUNT_INVALID', JSON.stringify(body));
    assert.ok(answer.body.error.details.reason.length > 20);
  }
  assert.deepEqual(await stored(fixture, userId), before);
});

test('422 PAYMENT_ACCOUNT_INVALID for an id and an e-mail of two accounts; the pair of one account is linked', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const userId = await fixture.aPayee();
  const before = await stored(fixture, userId);
  const email = 'pair@pay.example';
  const answer = await link(fixture, userId, { email, paymentAccountUserId: 'acct-7' });
  assert.equal(codeOf(answer), '422 PAYMENT_ACCOUNT_INVALID');
  assert.deepEqual(await stored(fixture, userId), before);
  const id = await idAtProvider(fixture, email);
  const linked = await link(fixture, userId, { email, paymentAccountUserId: id });
  assert.deepEqual([linked.status, linked.body.data?.paymentAccountUserId], [200, id]);
  const paid = await withdraw(fixture, userId, { type: 'payment_account' });
  assert.equal(paid.body.data.destination.email, email);
});

test('503 and nothing changed while the provider does not answer; the same account again needs no provider', async (t) => {
  const fixture = await openSharedWithdrawals(t, { env: HURRIED });
  const { arm, aPayee, sandbox } = fixture;
  const userId = await aPayee();
  const first = await link(fixture, userId, { email: 'first@pay.example' });
  arm({ operation: 'user-get', fault: 'outage', count: 1_000 });
  const before = await stored(fixture, userId);
  const answer = await link(fixture, userId, { email: 'second@pay.example' });
  assert.equal(codeOf(answer), '503 SERVICE_UNAVAILABLE');
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
  const again = await link(fixture, userId, { email: 'first@pay.example' });
  assert.deepEqual([again.status, again.body.data], [200, first.body.data]);
  assert.deepEqual(await stored(fixture, userId), before);
  sandbox.faults.clear();
});

test('another account is a change with an event and an audit entry of its own; another name of the account is none', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const userId = await fixture.aPayee();
  await link(fixture, userId, { email: 'first@pay.example' });
  const id = await idAtProvider(fixture, 'first@pay.example');
  assert.equal((await link(fixture, userId, { paymentAccountUserId: id })).status, 200);
  assert.deepEqual(await eventsOf(fixture, 'user.payment_account_changed'), []);
  const { body } = await link(fixture, userId, { email: 'second@pay.example' });
  const at = body.data.paymentAccountLinkedAt;
  assert.deepEqual(await eventsOf(fixture, 'user.payment_account_changed'), [
    {
      userId,
      paymentAccountUserId: 'second@pay.example',
      previousPaymentAccountUserId: id,
      changedAt: at,
      payoutsFrom: at,
    },
  ]);
  const { data } = (await fixture.app.call('GET /audit/logs?action=USER_PAYMENT_ACCOUNT_CHANGED')).body.data;
  assert.deepEqual(
    data.map((entry: { resourceId: string }) => entry.resourceId),
    [userId],
  );
  assert.equal('paymentAccountActiveFrom' in body.data, false);
});

test('payouts are refused until the waiting time after a change is over', async (t) => {
  const fixture = await openSharedWithdrawals(t, { env: { PAYEE_CHANGE_WAIT: 'PT24H' } });
  const userId = await fixture.aPayee();
  await link(fixture, userId, { email: 'first@pay.example' });
  assert.equal((await withdraw(fixture, userId, { type: 'bank' })).status, 201, 'a first link does not wait');
  const { body } = await link(fixture, userId, { email: 'second@pay.example' });
  const from = body.data.paymentAccountActiveFrom;
  assert.equal(Date.parse(from) - Date.parse(body.data.paymentAccountLinkedAt), 86_400_000);
  const before = await fixture.balance(userId);
  for (const destination of [
    { type: 'payment_account' },
    { type: 'bank', email: 'second@pay.example' },
    { type: 'bank', email: 'first@pay.example' },
  ]) {
    const answer = await withdraw(fixture, userId, destination);
    assert.equal(codeOf(answer), '422 WITHDRAWAL_DESTINATION_INVALID', JSON.stringify(destination));
  }
  const answer = await withdraw(fixture, userId, { type: 'bank' });
  assert.ok(answer.body.error.details.reason.includes(from), answer.text);
  assert.equal(await fixture.balance(userId), before);
});

test('after the waiting time payouts use the new account', async (t) => {
  const fixture = await openSharedWithdrawals(t, { env: { PAYEE_CHANGE_WAIT: 'PT1S' } });
  const userId = await fixture.aPayee();
  await link(fixture, userId, { email: 'first@pay.example' });
  await link(fixture, userId, { email: 'second@pay.example' });
  const emails: string[] = [];
  await until(async () => {
    const answer = await withdraw(fixture, userId, { type: 'bank' });
    if (answer.status === 201) emails.push(answer.body.data.destination.email);
    return emails.length > 0;
  }, 'the new account is paid');
  assert.deepEqual(emails, ['second@pay.example']);
});

test('422 for a named destination that is another account than the linked one: nothing is replaced', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const userId = await fixture.aPayee();
  await link(fixture, userId, { email: 'linked@pay.example' });
  const before = await fixture.balance(userId);
  for (const type of ['bank', 'payment_account']) {
    const answer = await withdraw(fixture, userId, { type, email: 'other@bank.example' });
    assert.equal(codeOf(answer), '422 WITHDRAWAL_DESTINATION_INVALID');
    assert.match(answer.body.error.details.reason, /another account than the linked payment account/);
  }
  assert.equal(await fixture.balance(userId), before);
  const same = await withdraw(fixture, userId, { type: 'bank', email: 'LINKED@pay.example' });
  assert.equal(same.status, 201);
});

test('an id is resolved with the provider, and the account of a bank destination must not be inactive', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const userId = await fixture.aPayee();
  await link(fixture, userId, { paymentAccountUserId: 'acct-77' });
  const paid = await withdraw(fixture, userId, { type: 'bank' });
  assert.equal(paid.body.data.destination.email, 'acct-77@account-id.example');
  await fixture.control('POST /users', { email: 'acct-77@account-id.example', status: 'inactive' });
  const answer = await withdraw(fixture, userId, { type: 'bank', ref: 'ending in 1234' });
  assert.equal(codeOf(answer), '422 WITHDRAWAL_DESTINATION_INVALID');
});
