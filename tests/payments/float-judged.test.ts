// Reconciliation and proof judge each marketplace by itself: its own float beside its own books. What all have together is shown
// to the master key alone.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { codeOf, MASTER_KEY, type TestApp } from '../support/app.ts';
import { payBehindTheBooks } from './payment-float.ts';
import { openWithdrawals } from './withdrawal-fixture.ts';

const master = (id: string) => ({ key: MASTER_KEY, headers: { 'x-marketplace-id': id } });

const breaksOf = async (app: TestApp, id: string) =>
  (await app.call('GET /reconciliation/breaks?open=true', master(id))).body.data.data.map(
    (each: Record<string, string>) => [each.subject, each.expected, each.actual],
  );

/** The operator has 900.00 at the provider; a tenant's user paid in 100.00. */
const openShop = async (t: TestContext) => {
  const fixture = await openWithdrawals(t, { sandbox: { payment: { openingBalance: 900 } } });
  const { app } = fixture;
  const key = await app.key(['*'], 'mkt_shop');
  const userId = await app.aUser({ key, hasEmail: true });
  const { id } = await fixture.aTopup({ key, userId, body: { amount: '100.00' } });
  await fixture.pay(id, 'confirm');
  const setLine = (amount: string) =>
    app.call('PUT /marketplaces/mkt_shop/credit-line', { key: MASTER_KEY, body: { amount, currency: 'USD' } });
  return { ...fixture, key, userId, setLine };
};

test("a difference at the provider is shown beside the operator's own float, without the figures of a tenant", async (t) => {
  const fixture = await openShop(t);
  const { app } = fixture;
  await payBehindTheBooks(fixture, 7);
  assert.deepEqual((await fixture.reconcileFloat()).seen, ['7.0000000']);
  assert.deepEqual(await breaksOf(app, 'mkt_default'), [['payment-provider', '900.0000000', '907.0000000']]);
  assert.deepEqual(await breaksOf(app, 'mkt_shop'), []);
  const { holds } = (await app.call('GET /audit/proof', master('mkt_shop'))).body.data;
  assert.equal(holds, true, 'the books of the tenant are right');
});

test('the total of all marketplaces is shown to the master key alone', async (t) => {
  const { app, key } = await openShop(t);
  const { status, body } = await app.call('GET /reconciliation/float', { key: MASTER_KEY });
  assert.equal(status, 200);
  assert.deepEqual(body.data, {
    currency: 'USD',
    held: '1000.00',
    inTransit: '0.00',
    provider: '1000.00',
    difference: '0.00',
    // The provider has not told its fee for the top-up yet.
    openPayments: 1,
  });
  for (const other of [key, await app.key(['*'])]) {
    assert.equal(codeOf(await app.call('GET /reconciliation/float', { key: other })), '403 INSUFFICIENT_SCOPE');
  }
});

test('a payout beyond the credit line is booked, and is a break of its own marketplace until the line covers it', async (t) => {
  const fixture = await openShop(t);
  const { app, key, userId, setLine, untilPayout, move } = fixture;
  await setLine('50.00');
  await app.call(`POST /users/${userId}/balance/credit`, { key, body: { amount: '50.00' } });
  const body = { userId, amount: '150.00', currency: 'USD', destination: { type: 'bank' }, commit: true };
  const { id } = (await app.call('POST /withdrawals', { key, body })).body.data;
  await untilPayout(id, 'COMMITTED');
  await setLine('30.00');
  await move(id, 'complete');
  const { status } = (await app.call(`GET /withdrawals/${id}`, { key })).body.data;
  assert.equal(status, 'WITHDRAWAL_COMPLETED', 'the fact is booked');
  assert.deepEqual((await fixture.reconcileFloat()).seen, ['-20.0000000']);
  assert.deepEqual(await breaksOf(app, 'mkt_shop'), [['credit-line', '-30.0000000', '-50.0000000']]);
  assert.deepEqual(await breaksOf(app, 'mkt_default'), []);
  assert.match(await (await fetch(`${app.url}/metrics`)).text(), /^holdfast_float_credit_used 50$/m);

  await setLine('0.00');
  assert.match(
    await (await fetch(`${app.url}/metrics`)).text(),
    /^holdfast_float_credit_used 50$/m,
    'what was paid stays owed without a line',
  );

  await setLine('50.00');
  await fixture.reconcileFloat();
  assert.deepEqual(await breaksOf(app, 'mkt_shop'), []);
  await fixture.assertSettled();
});

test('a proof finds a float that promises another amount than the open withdrawals need', async (t) => {
  const { app, key, userId } = await openShop(t);
  const body = { userId, amount: '40.00', currency: 'USD', destination: { type: 'bank' } };
  assert.equal((await app.call('POST /withdrawals', { key, body })).status, 201);
  const failing = async () =>
    (await app.call('GET /audit/proof', master('mkt_shop'))).body.data.checks
      .filter(({ holds }: { holds: boolean }) => !holds)
      .map(({ name }: { name: string }) => name);
  assert.deepEqual(await failing(), []);
  await app.sql("update floats set pending_payouts = pending_payouts - 1 where marketplace_id = 'mkt_shop'");
  assert.deepEqual(await failing(), ['float-promises-equal-open-withdrawals']);
});
