// The float (the money at the payment provider) in the books: opened once before the first payment, credited by top-ups, and
// reduced by provider fees.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proveBooks } from '../../server/src/books/proof.ts';
import { openFloat } from '../../server/src/modules/float/open-float.ts';
import { createFloatReads } from '../../server/src/modules/float/queries.ts';
import { applyPayin } from '../../server/src/modules/topups/apply-payin.ts';
import { createTopUp } from '../../server/src/modules/topups/create-topup.ts';
import type { PayinUpdate } from '../../server/src/modules/topups/payin-update.ts';
import { applyPayout } from '../../server/src/modules/withdrawals/apply-payout.ts';
import { createWithdrawal } from '../../server/src/modules/withdrawals/create-withdrawal.ts';
import type { PayoutUpdate } from '../../server/src/modules/withdrawals/payout-update.ts';
import { type Fixture, MARKETPLACE, openFixture, replyOf, usd } from '../commit/fixture.ts';
import { codeOf, MASTER_KEY, type TestApp } from '../support/app.ts';
import { openPayments } from './payment-fixture.ts';
import { CONTEXT, openProcess } from './payment-process.ts';

test('the balance before the first payment belongs to the operator, also when another marketplace makes that payment', async (t) => {
  const { app, aTopup, pay, assertSettled } = await openPayments(t);
  const key = await app.key(['*'], 'mkt_other');
  const { id } = await aTopup({ key, userId: await app.aUser({ key }) });
  const rows = await app.sql('select marketplace_id, id, (amount / 100000)::text as cents from float_openings');
  assert.deepEqual(rows, [{ marketplace_id: 'mkt_default', id: 'payment-provider', cents: '100000000000' }]);
  await pay(id, 'confirm');
  const float = await app.sql(
    `select marketplace_id, (-balance / 100000)::text as cents from accounts where id = 'payment-float:USD' order by 1`,
  );
  assert.deepEqual(float, [
    { marketplace_id: 'mkt_default', cents: '100000000000' },
    { marketplace_id: 'mkt_other', cents: '2550' },
  ]);
  await assertSettled();
});

test('with an empty balance, the first payment is not booked as an opening balance', async (t) => {
  const sandbox = { payment: { openingBalance: 0 } };
  const { app, aTopup, pay, available, control, assertSettled } = await openPayments(t, { sandbox, webhooks: false });
  const first = await aTopup();
  const userId = await app.aUser();
  // The first payment is paid and its webhook has not arrived when the next one begins.
  await pay(first.id, 'confirm');
  await aTopup({ userId });
  assert.deepEqual(await app.sql('select (amount)::text as units from float_openings'), [{ units: '0' }]);
  await app.call(`POST /topups/${first.id}/refresh`);
  assert.equal(await available(first.userId), '25.50');
  assert.equal((await control('GET /state')).balance.available, '25.50');
  await assertSettled();
});

test('an unreadable balance delays no payment, and is read again', async (t) => {
  const fixture = await openPayments(t);
  const away = await openProcess(t, fixture, { env: { PAYMENT_PROVIDER_URL: 'http://127.0.0.1:9' } });
  await away.openFloat();
  assert.equal(away.troubles.length, 1);
  assert.deepEqual(await fixture.app.sql('select id from float_openings'), []);
  const { id } = await fixture.aTopup();
  assert.equal((await fixture.app.sql('select id from float_openings')).length, 1);
  await fixture.pay(id, 'confirm');
  await fixture.assertSettled();
});

test('a float that was not opened before the first payments is opened when none of them is pending', async (t) => {
  const fixture = await openPayments(t, { webhooks: false });
  const { app, pay, assertSettled } = fixture;
  const { topUps, openFloat } = await openProcess(t, fixture);
  const fields = {
    amount: usd('25.50'),
    currency: 'USD',
    description: null,
    returnUrl: null,
    cancelUrl: null,
    requestKey: null,
  } as const;
  const made = await topUps.create({ userId: await app.aUser(), ...fields, context: CONTEXT });
  const opened = () => app.sql('select (amount / 100000)::text as cents from float_openings');
  await openFloat();
  assert.deepEqual(await opened(), [], 'it may be paid between the two reads');
  await pay(made.id, 'confirm');
  await openFloat();
  assert.deepEqual(await opened(), []);
  await topUps.refresh(CONTEXT, made);
  await openFloat();
  assert.deepEqual(await opened(), [{ cents: '100000000000' }]);
  await assertSettled();
});

test('504 PROVIDER_TIMEOUT, and not 422, while the balance of the provider is not booked yet', async (t) => {
  const fixture = await openPayments(t, { webhooks: false });
  const { app, pay, assertSettled } = fixture;
  // A payment of a process that did not open the float: while it may be paid, the two sums cannot be compared.
  const { topUps } = await openProcess(t, fixture);
  const fields = { currency: 'USD', description: null, returnUrl: null, cancelUrl: null, requestKey: null } as const;
  const pending = { userId: await app.aUser(), amount: usd('25.50'), ...fields, context: CONTEXT };
  const made = await topUps.create(pending);
  const userId = await app.aUser({ hasEmail: true, available: '100.00' });
  const body = { userId, amount: '60.00', currency: 'USD', destination: { type: 'bank' } };
  await app.key(['*'], 'mkt_shop');
  const requests = [
    () => app.call('POST /withdrawals', { body }),
    () => move(app, 'mkt_shop'),
    () => move(app, 'mkt_default'),
  ];
  for (const ask of requests) {
    const refused = await ask();
    assert.equal(codeOf(refused), '504 PROVIDER_TIMEOUT');
    assert.match(refused.body.error.message, /could not be read yet. Nothing has changed; try again/);
  }
  assert.deepEqual(await app.sql('select id from withdrawals union all select id from float_transfers'), []);
  const { available, reserved } = (await app.call(`GET /users/${userId}/balance`)).body.data;
  assert.deepEqual([available, reserved], ['100.00', '0.00']);

  await pay(made.id, 'confirm');
  await topUps.refresh(CONTEXT, made);
  const statuses = [(await requests[0]!()).status, (await requests[1]!()).status];
  assert.deepEqual(statuses, [201, 201]);
  await assertSettled();
});

const move = (app: TestApp, id: string) =>
  app.call(`POST /marketplaces/${id}/float`, { key: MASTER_KEY, body: { amount: '5.00', currency: 'USD' } });

const UPDATE: PayinUpdate = {
  status: 'TOPUP_SUCCEEDED',
  payinId: 'p1',
  amount: usd('25.50'),
  currency: null,
  fee: usd('0.75'),
  confirmationUri: 'http://127.0.0.1:1/payin/p1',
  reason: null,
  errorCode: null,
};

const topUpOn = async ({ submit, user }: Fixture) => {
  const userId = await user();
  const fields = {
    userId,
    amount: usd('25.50'),
    currency: 'USD',
    description: null,
    returnUrl: null,
    cancelUrl: null,
    requestKey: null,
  } as const;
  return replyOf(await submit(createTopUp, fields));
};

const unitsOf = async ({ pool }: Fixture): Promise<Record<string, string>> => {
  const { rows } = await pool.query(`select id, (balance / 100000)::text as cents from accounts
    where id not like 'usr%' or id like '%available%'`);
  return Object.fromEntries(rows.map(({ id, cents }) => [id.replace(/^usr_\w+:/, 'user:'), cents]));
};

test('the user gets the whole amount, and the provider fee is a cost of the platform', async (t) => {
  const fixture = await openFixture(t);
  const { id: topupId } = await topUpOn(fixture);
  const taken = replyOf(await fixture.submit(applyPayin, { topupId, update: UPDATE }));
  assert.deepEqual([taken.outcome, taken.topup.fee], ['applied', usd('0.75')]);
  const books = { 'user:available:USD': '2550', 'payment-float:USD': '-2475', 'network:fees:USD': '-75' };
  assert.deepEqual(await unitsOf(fixture), books);
  const again = replyOf(await fixture.submit(applyPayin, { topupId, update: UPDATE }));
  assert.equal(again.outcome, 'unchanged');
  assert.deepEqual(await unitsOf(fixture), books);
  assert.equal((await proveBooks(fixture.pool, MARKETPLACE)).holds, true);
});

test('a provider fee that is reported after the success is booked once', async (t) => {
  const fixture = await openFixture(t);
  const { id: topupId } = await topUpOn(fixture);
  await fixture.submit(applyPayin, { topupId, update: { ...UPDATE, fee: null } });
  assert.deepEqual(await unitsOf(fixture), { 'user:available:USD': '2550', 'payment-float:USD': '-2550' });
  const outcomes: string[] = [];
  for (let i = 0; i < 3; i++)
    outcomes.push(replyOf(await fixture.submit(applyPayin, { topupId, update: UPDATE })).outcome);
  assert.deepEqual(outcomes, ['applied', 'unchanged', 'unchanged']);
  assert.deepEqual(await unitsOf(fixture), {
    'user:available:USD': '2550',
    'payment-float:USD': '-2475',
    'network:fees:USD': '-75',
  });
});

test('a payout that the provider executed over less is booked as executed, and the operator holds the rest', async (t) => {
  const fixture = await openFixture(t);
  const { id: topupId, userId } = await topUpOn(fixture);
  await fixture.submit(applyPayin, { topupId, update: { ...UPDATE, fee: null } });
  const destination = { destinationType: 'bank', destinationRef: null, address: null, email: 'a@b.example' } as const;
  const fields = { userId, amount: usd('25.50'), currency: 'USD', walletId: null, commit: true } as const;
  const more = { payeeLinkedAt: null, isFloatOpened: true };
  const made = await fixture.submit(createWithdrawal, { ...fields, ...destination, ...more });
  const none = { payoutId: null, currency: null, fee: null, reason: null, errorCode: null, actionUrl: null };
  const paid = { ...none, status: 'WITHDRAWAL_COMPLETED', amount: usd('20.00') } as const;
  const withdrawalId = replyOf(made).id;
  const once = await fixture.submit(applyPayout, { withdrawalId, update: { ...paid, isAmountCertain: false } });
  assert.equal(replyOf(once).outcome, 'mismatch', 'one report is not enough');
  const twice = await fixture.submit(applyPayout, { withdrawalId, update: { ...paid, isAmountCertain: true } });
  assert.equal(replyOf(twice).withdrawal.status, 'WITHDRAWAL_COMPLETED');
  const { 'payment-float:USD': float, 'operator:adjustments:USD': operator } = await unitsOf(fixture);
  assert.deepEqual([float, operator], ['-550', '550']);
  assert.equal((await proveBooks(fixture.pool, MARKETPLACE)).holds, true);
});

test('a provider fee that is reported after the float was paid out is booked, as a debt of the marketplace', async (t) => {
  const fixture = await openFixture(t);
  const { id: topupId, userId } = await topUpOn(fixture);
  await fixture.submit(applyPayin, { topupId, update: { ...UPDATE, fee: null } });
  const destination = { destinationType: 'bank', destinationRef: null, address: null, email: 'a@b.example' } as const;
  const fields = { userId, amount: usd('25.50'), currency: 'USD', walletId: null, commit: true } as const;
  const made = await fixture.submit(createWithdrawal, {
    ...fields,
    ...destination,
    payeeLinkedAt: null,
    isFloatOpened: true,
  });
  const paid: PayoutUpdate = {
    status: 'WITHDRAWAL_COMPLETED',
    payoutId: null,
    amount: usd('25.50'),
    isAmountCertain: false,
    currency: null,
    fee: null,
    reason: null,
    errorCode: null,
    actionUrl: null,
  };
  await fixture.submit(applyPayout, { withdrawalId: replyOf(made).id, update: paid });
  assert.equal((await unitsOf(fixture))['payment-float:USD'], '0', 'nothing is left for the fee');

  const taken = replyOf(await fixture.submit(applyPayin, { topupId, update: UPDATE }));
  assert.deepEqual([taken.outcome, taken.topup.fee], ['applied', usd('0.75')]);
  const { 'network:fees:USD': fees, 'payment-float-owed:USD': owed } = await unitsOf(fixture);
  assert.deepEqual([fees, owed], ['-75', '75']);
  const overdrawn = await createFloatReads(fixture.pool).listOverdrawn();
  assert.deepEqual(overdrawn, [{ marketplaceId: MARKETPLACE, held: -usd('0.75'), creditLine: 0n }]);
  assert.equal((await proveBooks(fixture.pool, MARKETPLACE)).holds, true);
});

test('a fee larger than the payment is not booked', async (t) => {
  const fixture = await openFixture(t);
  const { id: topupId } = await topUpOn(fixture);
  const odd = { ...UPDATE, fee: usd('25.51') };
  assert.equal(replyOf(await fixture.submit(applyPayin, { topupId, update: odd })).outcome, 'mismatch');
  assert.deepEqual(await unitsOf(fixture), {});
  await fixture.submit(applyPayin, { topupId, update: { ...UPDATE, fee: null } });
  assert.equal(replyOf(await fixture.submit(applyPayin, { topupId, update: odd })).outcome, 'unchanged');
  assert.deepEqual(await unitsOf(fixture), { 'user:available:USD': '2550', 'payment-float:USD': '-2550' });
});

test('the float is opened once, whatever balance a second attempt reads', async (t) => {
  const fixture = await openFixture(t);
  const replies = [];
  for (const amount of [usd('10'), usd('30')])
    replies.push(replyOf(await fixture.submit(openFloat, { amount, providerAccount: null })));
  assert.deepEqual(replies, [true, false]);
  assert.deepEqual(await unitsOf(fixture), { 'payment-float:USD': '-1000', 'operator:adjustments:USD': '1000' });
});
