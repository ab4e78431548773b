// Each marketplace pays from its own float: what its own users paid in, what the operator allotted to it, and its credit line.
// A payout beyond that is refused before anything is promised.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { codeOf, MASTER_KEY } from '../support/app.ts';
import { openWithdrawals } from './withdrawal-fixture.ts';
import { openProcess } from './withdrawal-process.ts';

type Tenants = Awaited<ReturnType<typeof openTenants>>;

/** A server whose operator has this much money at the provider, and two tenants. */
const openTenants = async (t: TestContext, openingBalance = 0) => {
  const fixture = await openWithdrawals(t, { sandbox: { payment: { openingBalance } } });
  const { app } = fixture;
  const [honest, hostile] = await Promise.all(['mkt_honest', 'mkt_hostile'].map((id) => app.key(['*'], id)));

  const withdraw = (key: string, { userId, amount, ...more }: { userId: string; amount: string; commit?: boolean }) =>
    app.call('POST /withdrawals', {
      key,
      body: { userId, amount, currency: 'USD', destination: { type: 'bank' }, ...more },
    });

  /** A user who paid this amount in at the provider. */
  const aPayer = async (key: string, amount: string): Promise<string> => {
    const userId = await app.aUser({ key, hasEmail: true });
    const { id } = await fixture.aTopup({ key, userId, body: { amount } });
    await fixture.pay(id, 'confirm');
    return userId;
  };

  const floatOf = async (id: string) =>
    (await app.call(`GET /marketplaces/${id}`, { key: MASTER_KEY })).body.data.float;

  const allot = (id: string, amount: string) =>
    app.call(`POST /marketplaces/${id}/float`, { key: MASTER_KEY, body: { amount, currency: 'USD' } });

  /** The money that the provider really has. */
  const atProvider = async (): Promise<string> => (await fixture.control('GET /state')).balance.available;

  return { ...fixture, honest: honest!, hostile: hostile!, withdraw, aPayer, allot, floatOf, atProvider };
};

test('a tenant that credits its own user by hand is not paid with the deposits of another tenant', async (t) => {
  const { app, honest, hostile, withdraw, aPayer, floatOf, atProvider, payouts, untilPayout, move, assertSettled } =
    await openTenants(t);
  const payer = await aPayer(honest, '500.00');
  const accomplice = await app.aUser({ key: hostile, hasEmail: true, available: '400.00' });

  const refused = await withdraw(hostile, { userId: accomplice, amount: '400.00', commit: true });
  assert.equal(codeOf(refused), '422 INSUFFICIENT_FUNDS');
  const { float, message } = { float: refused.body.error.details.float, message: refused.body.error.message };
  assert.deepEqual(float, {
    held: '0.00',
    pendingPayouts: '0.00',
    creditLine: '0.00',
    available: '0.00',
    requested: '400.00',
    currency: 'USD',
  });
  assert.match(message, /top-ups of its own users.*allot.*credit line/);
  assert.deepEqual(payouts(), []);
  const { available, reserved } = (await app.call(`GET /users/${accomplice}/balance`, { key: hostile })).body.data;
  assert.deepEqual([available, reserved], ['400.00', '0.00'], 'nothing has changed');

  const { id } = (await withdraw(honest, { userId: payer, amount: '500.00', commit: true })).body.data;
  await untilPayout(id, 'COMMITTED');
  await move(id, 'complete');
  assert.equal(await atProvider(), '0.00', 'the honest tenant got all of its money');
  assert.equal((await floatOf('mkt_honest')).held, '0.00');
  await assertSettled();
});

test('open withdrawals promise their amount from the float, and a failed one gives it back', async (t) => {
  const { honest, withdraw, aPayer, floatOf, untilPayout, move, expect, app } = await openTenants(t);
  const payer = await aPayer(honest, '100.00');
  await app.call(`POST /users/${payer}/balance/credit`, { key: honest, body: { amount: '100.00' } });
  const first = (await withdraw(honest, { userId: payer, amount: '70.00', commit: true })).body.data;
  const { pendingPayouts, available } = await floatOf('mkt_honest');
  assert.deepEqual([pendingPayouts, available], ['70.00', '30.00']);

  const beyond = await withdraw(honest, { userId: payer, amount: '30.01' });
  assert.equal(codeOf(beyond), '422 INSUFFICIENT_FUNDS');
  assert.equal(beyond.body.error.details.float.pendingPayouts, '70.00');
  const second = (await withdraw(honest, { userId: payer, amount: '30.00' })).body.data;
  assert.equal((await floatOf('mkt_honest')).available, '0.00');

  await untilPayout(first.id, 'COMMITTED');
  await move(first.id, 'fail');
  const master = { key: MASTER_KEY, headers: { 'x-marketplace-id': 'mkt_honest' } };
  const { status } = await expect(`POST /withdrawals/${first.id}/refresh`, { ...master, status: 200 });
  assert.equal(status, 'WITHDRAWAL_FAILED');
  const after = await floatOf('mkt_honest');
  assert.deepEqual([after.held, after.pendingPayouts, after.available], ['100.00', '30.00', '70.00']);
  assert.equal(second.status, 'WITHDRAWAL_CREATED');
});

test('a payout that is paid takes its promise with it, in dollars and in a currency that is pegged to them', async (t) => {
  const { app, honest, aPayer, floatOf, untilPayout, move, assertSettled } = await openTenants(t);
  const payer = await aPayer(honest, '100.00');
  const credit = { amount: '40.00', currency: 'USDC' };
  await app.call(`POST /users/${payer}/balance/credit`, { key: honest, body: credit });
  const body = { userId: payer, ...credit, destination: { type: 'bank' }, commit: true };
  const made = await app.call('POST /withdrawals', { key: honest, body });
  assert.equal(made.status, 201, made.text);
  const { id } = made.body.data;
  await untilPayout(id, 'COMMITTED');
  await move(id, 'complete');
  const { held, pendingPayouts, available } = await floatOf('mkt_honest');
  assert.deepEqual([held, pendingPayouts, available], ['60.00', '0.00', '60.00']);
  await assertSettled();
});

test('a float that became too small refuses the commit and leaves the withdrawal as it was', async (t) => {
  const { app, honest, hostile, aPayer, withdraw, floatOf } = await openTenants(t);
  await aPayer(honest, '100.00');
  const line = (amount: string) =>
    app.call('PUT /marketplaces/mkt_hostile/credit-line', { key: MASTER_KEY, body: { amount, currency: 'USD' } });
  assert.equal((await line('50.00')).body.data.float.creditLine, '50.00');
  const userId = await app.aUser({ key: hostile, hasEmail: true, available: '60.00' });
  const { id } = (await withdraw(hostile, { userId, amount: '50.00' })).body.data;
  await line('49.99');
  const refused = await app.call(`POST /withdrawals/${id}/commit`, { key: hostile });
  assert.equal(codeOf(refused), '422 INSUFFICIENT_FUNDS');
  assert.equal(refused.body.error.details.float.available, '-0.01');
  const { status } = (await app.call(`GET /withdrawals/${id}`, { key: hostile })).body.data;
  assert.equal(status, 'WITHDRAWAL_CREATED');
  assert.equal((await floatOf('mkt_hostile')).pendingPayouts, '50.00');
  await line('50.00');
  assert.equal((await app.call(`POST /withdrawals/${id}/commit`, { key: hostile })).status, 200);
});

test('a lowered credit line stops the commit of every open withdrawal, and the refusal names the ways out', async (t) => {
  const fixture = await openTenants(t);
  const { app, honest, hostile, aPayer, withdraw, floatOf } = fixture;
  await aPayer(honest, '100.00');
  const line = (amount: string) =>
    app.call('PUT /marketplaces/mkt_hostile/credit-line', { key: MASTER_KEY, body: { amount, currency: 'USD' } });
  await line('100.00');
  const userId = await app.aUser({ key: hostile, hasEmail: true, available: '200.00' });
  const make = async (): Promise<string> => (await withdraw(hostile, { userId, amount: '50.00' })).body.data.id;
  const ids = [await make(), await make()];
  const commit = (id: string) => app.call(`POST /withdrawals/${id}/commit`, { key: hostile });
  await line('60.00');
  for (const id of ids) {
    const { status, body } = await commit(id);
    assert.deepEqual([status, body.error.code], [422, 'INSUFFICIENT_FUNDS'], 'the float does not cover all of them');
    assert.match(body.error.message, /its open withdrawals.*top-ups.*allot.*credit line.*not committed expire/);
    const { held, pendingPayouts, creditLine, available } = body.error.details.float;
    assert.deepEqual([held, pendingPayouts, creditLine, available], ['0.00', '100.00', '60.00', '-40.00']);
  }
  // The way out that needs no operator: one of them expires, and the other is covered.
  await app.sql("update withdrawals set created_at = now() - interval '365 days' where id = $1", [ids[0]]);
  const { expire } = await openProcess(t, fixture);
  await expire();
  assert.equal((await floatOf('mkt_hostile')).pendingPayouts, '50.00');
  const committed = await commit(ids[1]!);
  assert.equal(committed.status, 200, committed.text);
});

/** A user of this key's marketplace with money that was credited by hand, all of which is paid out. */
const payOutHandMade = async ({ app, withdraw, untilPayout, move }: Tenants, key: string, amount: string) => {
  const userId = await app.aUser({ key, hasEmail: true, available: amount });
  const { id } = (await withdraw(key, { userId, amount, commit: true })).body.data;
  await untilPayout(id, 'COMMITTED');
  await move(id, 'complete');
};

test('the operator cannot take back what payouts have used: later deposits belong to users', async (t) => {
  const fixture = await openTenants(t, 100);
  const { honest, allot, aPayer, floatOf, withdraw } = fixture;
  assert.equal((await allot('mkt_honest', '100.00')).status, 201);
  await payOutHandMade(fixture, honest, '100.00');
  const payer = await aPayer(honest, '100.00');
  assert.deepEqual((({ held, allotted }) => [held, allotted])(await floatOf('mkt_honest')), ['100.00', '0.00']);
  assert.equal(codeOf(await allot('mkt_honest', '-100.00')), '422 INSUFFICIENT_FUNDS');
  assert.equal((await withdraw(honest, { userId: payer, amount: '100.00' })).status, 201);
});

test('the operator can allot only the own money, not the deposits of the users of mkt_default', async (t) => {
  const { app, allot, aPayer, floatOf } = await openTenants(t, 30);
  await aPayer(await app.key(['*'], 'mkt_default'), '100.00');
  assert.deepEqual((({ held, allotted }) => [held, allotted])(await floatOf('mkt_default')), ['130.00', '30.00']);
  assert.equal(codeOf(await allot('mkt_honest', '30.01')), '422 INSUFFICIENT_FUNDS');
  assert.equal((await allot('mkt_honest', '30.00')).status, 201);
  assert.equal((await floatOf('mkt_default')).allotted, '0.00');
});
