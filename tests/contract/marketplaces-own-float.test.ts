// POST /marketplaces/mkt_default/float: the operator books money that was added or taken out at the payment provider after the opening.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { payBehindTheBooks } from '../payments/payment-float.ts';
import { openWithdrawals } from '../payments/withdrawal-fixture.ts';
import { many, statusesOf } from '../payments/withdrawal-race-checks.ts';
import { codeOf, MASTER_KEY } from '../support/app.ts';

/** A server whose operator has 900.00 at the provider; a tenant's user paid in 100.00. */
const openOperator = async (t: TestContext) => {
  const fixture = await openWithdrawals(t, { sandbox: { payment: { openingBalance: 900 } } });
  const { app } = fixture;
  const key = await app.key(['*'], 'mkt_shop');
  const { id } = await fixture.aTopup({ key, userId: await app.aUser({ key }), body: { amount: '100.00' } });
  await fixture.pay(id, 'confirm');
  const book = (amount: string, headers: Record<string, string> = {}) =>
    app.call('POST /marketplaces/mkt_default/float', { key: MASTER_KEY, headers, body: { amount, currency: 'USD' } });
  const held = async (of = 'mkt_default'): Promise<string> =>
    (await app.call(`GET /marketplaces/${of}`, { key: MASTER_KEY })).body.data.float.held;
  const openBreaks = async (): Promise<string[]> =>
    (await app.sql('select difference from breaks where resolved_at is null')).map(({ difference }) => difference);
  return { ...fixture, book, held, openBreaks };
};

/** The operator takes money out at the provider, as a payout that no withdrawal explains. */
const payOutBehindTheBooks = async (
  { sandbox }: Pick<Awaited<ReturnType<typeof openOperator>>, 'sandbox'>,
  amount: number,
): Promise<void> => {
  const code = `elsewhere-out-${amount}`;
  const answer = await fetch(`${sandbox.urls.payment}/payouts`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from('sandbox-key:sandbox-secret').toString('base64')}`,
    },
    body: JSON.stringify({ code, amount, notes: 'Elsewhere', airtmUserEmail: 'owner@elsewhere.example', commit: true }),
  });
  assert.equal(answer.ok, true, await answer.text());
  const done = await fetch(`${sandbox.urls.control}/payouts/${code}/complete`, { method: 'POST' });
  assert.equal(done.ok, true, await done.text());
};

test('201 books what the operator added at the provider, and the break closes by itself', async (t) => {
  const fixture = await openOperator(t);
  const { app, book, held, openBreaks, reconcileFloat, assertSettled } = fixture;
  await payBehindTheBooks(fixture, 50);
  await reconcileFloat();
  assert.deepEqual(await openBreaks(), ['50.0000000']);

  const { status, body, text } = await book('30.00');
  assert.equal(status, 201, text);
  const { from, to, amount, float, createdAt, arrivedAt } = body.data;
  assert.deepEqual([from, to, amount, float.held], ['payment-provider', 'mkt_default', '30.00', '930.00']);
  assert.equal(arrivedAt, createdAt);
  assert.equal((await book('20.00')).status, 201);
  assert.deepEqual([await held(), await held('mkt_shop')], ['950.00', '100.00']);
  await reconcileFloat();
  assert.deepEqual(await openBreaks(), []);
  const entries = await app.sql(
    `select actor_type, payload_after::json->>'amount' as amount from audit_entries where action = 'FLOAT_RECEIVED' order by seq`,
  );
  assert.deepEqual(entries, [
    { actor_type: 'master', amount: '30.00' },
    { actor_type: 'master', amount: '20.00' },
  ]);
  await assertSettled();
});

test('201 for a negative amount books what the operator took out, and never the money of a tenant', async (t) => {
  const fixture = await openOperator(t);
  const { book, held, openBreaks, reconcileFloat, assertSettled } = fixture;
  await payOutBehindTheBooks(fixture, 950);
  await reconcileFloat();
  assert.deepEqual(await openBreaks(), ['-950.0000000']);
  const beyond = await book('-950.00');
  assert.equal(codeOf(beyond), '422 INSUFFICIENT_FUNDS');
  assert.match(beyond.body.error.message, /belongs to other marketplaces/);
  const taken = await book('-900.00');
  assert.equal(taken.status, 201, taken.text);
  assert.deepEqual([taken.body.data.from, taken.body.data.to], ['mkt_default', 'payment-provider']);
  assert.deepEqual([await held(), await held('mkt_shop')], ['0.00', '100.00']);
  await reconcileFloat();
  assert.deepEqual(await openBreaks(), ['-50.0000000'], 'what belongs to the tenant is still missing');
  await payBehindTheBooks(fixture, 50);
  await reconcileFloat();
  assert.deepEqual(await openBreaks(), []);
  await assertSettled();
});

test('422 INSUFFICIENT_FUNDS with the figures for money that the provider does not show', async (t) => {
  const fixture = await openOperator(t);
  const { book, held } = fixture;
  const absent = await book('0.01');
  assert.equal(codeOf(absent), '422 INSUFFICIENT_FUNDS');
  assert.equal(codeOf(await book('-0.01')), '422 INSUFFICIENT_FUNDS');
  await payBehindTheBooks(fixture, 5);
  const beyond = await book('5.01');
  assert.equal(codeOf(beyond), '422 INSUFFICIENT_FUNDS');
  const { requested, available, provider } = beyond.body.error.details;
  assert.deepEqual([requested, available], ['5.01', '5.00']);
  assert.deepEqual(provider, { balance: '1005.00', booked: '1000.00', openPayments: '0.00', difference: '5.00' });
  assert.match(beyond.body.error.message, /does not show that this money was added.*GET \/reconciliation\/float/);
  assert.equal(await held(), '900.00');
});

test('422 for the deposit of a user whose webhook has not arrived: it is not the money of the operator', async (t) => {
  const fixture = await openWithdrawals(t, { webhooks: false, sandbox: { payment: { openingBalance: 900 } } });
  const { app } = fixture;
  const { id } = await fixture.aTopup({ body: { amount: '40.00' } });
  await fixture.pay(id, 'confirm');
  const body = { amount: '40.00', currency: 'USD' };
  const refused = await app.call('POST /marketplaces/mkt_default/float', { key: MASTER_KEY, body });
  assert.equal(codeOf(refused), '422 INSUFFICIENT_FUNDS');
  const { openPayments, difference } = refused.body.error.details.provider;
  assert.deepEqual([openPayments, difference], ['40.00', '0.00']);
  await app.call(`POST /topups/${id}/refresh`);
  await fixture.assertSettled();
});

test('504 PROVIDER_TIMEOUT while the provider does not answer books nothing', async (t) => {
  const fixture = await openOperator(t);
  await payBehindTheBooks(fixture, 5);
  await fixture.sandbox.close();
  assert.equal(codeOf(await fixture.book('5.00')), '504 PROVIDER_TIMEOUT');
  assert.equal(await fixture.held(), '900.00');
});

test('requests at once book the surplus once', async (t) => {
  const fixture = await openOperator(t);
  await payBehindTheBooks(fixture, 50);
  const answers = await many(6, () => fixture.book('50.00'));
  assert.deepEqual(statusesOf(answers), { 201: 1, 422: 5 });
  assert.equal(await fixture.held(), '950.00');
  await fixture.assertSettled();
});

test('a repeat with the same Idempotency-Key books once, also when its answer was not stored', async (t) => {
  const fixture = await openOperator(t);
  await payBehindTheBooks(fixture, 50);
  const headers = { 'idempotency-key': randomUUID() };
  const first = await fixture.book('20.00', headers);
  assert.equal((await fixture.book('20.00', headers)).text, first.text);
  await fixture.app.sql('delete from idempotency_answers');
  const again = await fixture.book('20.00', headers);
  assert.deepEqual([again.status, again.body.data.id], [201, first.body.data.id]);
  assert.equal(await fixture.held(), '920.00');
});

test('a provider that held nothing before the first payment: the first money of the operator is booked', async (t) => {
  const fixture = await openWithdrawals(t, { sandbox: { payment: { openingBalance: 0 } } });
  const book = () =>
    fixture.app.call('POST /marketplaces/mkt_default/float', {
      key: MASTER_KEY,
      body: { amount: '25.00', currency: 'USD' },
    });
  assert.equal(codeOf(await book()), '422 INSUFFICIENT_FUNDS');
  await payBehindTheBooks(fixture, 25);
  const booked = await book();
  assert.deepEqual([booked.status, booked.body.data?.float.held], [201, '25.00']);
  await fixture.assertSettled();
});
