// Events about payments out, against the states of their withdrawals: late and reordered events change nothing and are not
// marked as failed. Also which withdrawal an event refers to, and which events are not applied.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grantCreditLine } from '../support/shared-payments.ts';
import { signedHeaders } from './payment-fixture.ts';
import { assertEvent, BALANCES, CHOSEN, COMPLETED, NOT_PROCESSED, PROCESSED } from './payout-event-checks.ts';
import { openSharedWithdrawals, openWithdrawals } from './withdrawal-fixture.ts';

for (const [from, chosen] of CHOSEN) {
  test(`an event about a payment that is ${from} moves it forward, or is accepted and changes nothing`, async (t) => {
    const fixture = await openSharedWithdrawals(t, { webhooks: false });
    for (const type of chosen) await assertEvent(fixture, { from, type });
    const proof = await fixture.expect('GET /audit/proof', { status: 200 });
    assert.equal(proof.holds, true);
  });
}

test("events in the provider's own spelling, and events that name the withdrawal by either id, are accepted", async (t) => {
  const { aWithdrawal, commit, get, deliver, sendWebhook, balance } = await openSharedWithdrawals(t, {
    webhooks: false,
  });
  const all = [await aWithdrawal(), await aWithdrawal(), await aWithdrawal()];
  const [native, byPayout, bySpec] = await Promise.all(all.map(({ id }) => commit(id)));
  const body = JSON.stringify({
    type: 'payout.completed',
    data: { id: native.providerPayoutId, code: native.id, amount: 25.5 },
  });
  assert.equal((await sendWebhook(body, signedHeaders(body, { id: `msg-${native.id}` }))).text, PROCESSED);
  const completed = (data: object) => deliver({ type: 'payout.completed', data: { amount: 25.5, ...data } });
  assert.equal((await completed({ id: byPayout.providerPayoutId, code: null })).text, PROCESSED);
  // As the interface description says: the id is that of the withdrawal and there is no code.
  assert.equal((await completed({ id: bySpec.id })).text, PROCESSED);
  for (const { id, userId } of all) {
    assert.deepEqual([(await get(id)).status, await balance(userId)], [COMPLETED, BALANCES[COMPLETED]]);
  }
});

test('an event over another amount, currency or payment is not applied, and the correct one is applied afterwards', async (t) => {
  const { app, aWithdrawal, commit, deliver, get, balance } = await openSharedWithdrawals(t, { webhooks: false });
  const { id, userId } = await aWithdrawal();
  const committed = await commit(id);
  const data = { id: committed.providerPayoutId, code: id, amount: 25.5 };
  const misfits = [{ amount: 25.49 }, { amount: 2_550 }, { amount: null }, { currency: 'EUR' }, { id: 'another' }];
  for (const [at, misfit] of misfits.entries()) {
    const event = { type: 'payout.completed', data: { ...data, ...misfit }, eventId: `misfit-${at}` };
    assert.equal((await deliver(event)).text, NOT_PROCESSED, JSON.stringify(misfit));
  }
  assert.deepEqual(await get(id), committed);
  const rows = await app.sql("select state, failure, subject_id from webhook_events where id like '%misfit%'");
  assert.equal(rows.length, misfits.length);
  assert.ok(rows.every(({ state, failure, subject_id }) => state === 'FAILED' && failure && subject_id === id));
  const right = { type: 'payout.completed', data, eventId: 'misfit-0' };
  assert.equal((await deliver(right)).text, PROCESSED);
  assert.equal((await deliver(right)).text, '{"status":"ok","duplicate":true}');
  assert.equal(await balance(userId), BALANCES[COMPLETED]);
});

test('an event about no withdrawal of ours, or about one that the ledger pays, is not applied', async (t) => {
  const fixture = await openSharedWithdrawals(t, { ledger: true, webhooks: false });
  const { aWithdrawal, deliver, get, aPayee, outsideAddress } = fixture;
  const type = 'payout.completed';
  const none = await deliver({ type, data: { id: 'x', code: 'wdr_01J9ZQ8H7K5M3N2P4R6S8T0V1W', amount: 25.5 } });
  assert.equal(none.text, NOT_PROCESSED);
  const destination = { type: 'crypto', address: await outsideAddress() };
  const made = await aWithdrawal({ userId: await aPayee(), body: { destination } });
  assert.equal((await deliver({ type, data: { id: 'x', code: made.id, amount: 25.5 } })).text, NOT_PROCESSED);
  assert.deepEqual(await get(made.id), made);
});

test('a withdrawal of another marketplace is found there', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { app, aWithdrawal, move, assertSound } = fixture;
  const key = await app.key(['*'], 'mkt_other');
  await grantCreditLine(app, { key });
  const { id, userId } = await aWithdrawal({ key });
  assert.equal((await app.call(`POST /withdrawals/${id}/commit`, { key })).status, 200);
  await move(id, 'complete');
  const { body } = await app.call(`GET /users/${userId}/balance`, { key });
  assert.deepEqual([body.data.available, body.data.reserved], ['74.50', '0.00']);
  const owed = await app.sql("select marketplace_id, balance::text from accounts where id = 'payment-float-owed:USD'");
  assert.deepEqual(
    owed.map(({ balance }) => balance),
    ['255000000'],
  );
  assert.match(owed[0].marketplace_id, /^mkt_other/);
  await assertSound();
});

test('a payout in a currency without a float of its own is owed to the currency that has one', async (t) => {
  const { app, aPayee, aWithdrawal, commit, move, balance, aTopup, pay, assertSound } = await openWithdrawals(t);
  const userId = await aPayee({ currency: 'USDC' });
  const paidIn = await aTopup({ userId, body: { currency: 'USDC', amount: '10.00' } });
  await pay(paidIn.id, 'confirm');
  const { id } = await aWithdrawal({ userId, body: { currency: 'USDC' } });
  await commit(id);
  await move(id, 'complete');
  assert.equal(await balance(userId, 'USDC'), '84.50 + 0.00');
  const accounts = await app.sql("select id, balance::text from accounts where id like 'payment-float%' order by id");
  assert.deepEqual(accounts, [
    { id: 'payment-float-owed:USDC', balance: '155000000' },
    { id: 'payment-float:USD', balance: '-10000000000000000' },
    { id: 'payment-float:USDC', balance: '0' },
  ]);
  await assertSound();
});
