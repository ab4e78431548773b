// POST /withdrawals/{id}/commit, by status.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { HURRIED } from '../payments/payment-fixture.ts';
import { openSharedWithdrawals, openWithdrawals } from '../payments/withdrawal-fixture.ts';
import { grantCreditLine } from '../support/shared-payments.ts';

test('200 hands it to the payment provider under our id, and it is completed when the provider has paid', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { aWithdrawal, commit, move, get, payoutOf, payouts, balance, eventsOf, audited, assertSound } = fixture;
  const made = await aWithdrawal();
  const { id, userId } = made;
  const committed = await commit(id);
  const payout = payoutOf(id)!;
  assert.deepEqual([committed.status, committed.providerPayoutId], ['WITHDRAWAL_COMMITTED', payout.id]);
  assert.deepEqual([payouts().length, payout.status, payout.amount], [1, 'COMMITTED', 25.5]);
  assert.equal(await balance(userId), '74.50 + 25.50');
  await assertSound();

  await move(id, 'complete');
  const done = await get(id);
  assert.deepEqual([done.status, done.completedAt !== null], ['WITHDRAWAL_COMPLETED', true]);
  assert.equal(await balance(userId), '74.50 + 0.00');
  const about = { withdrawalId: id, userId, amount: '25.50', currency: 'USD' };
  assert.deepEqual((await eventsOf(made)).slice(3), [
    ['withdrawal.committed', { ...about, committedBalance: '25.50', availableBalance: '74.50' }],
    ['withdrawal.completed', { ...about, completedAt: done.completedAt, providerPayoutId: payout.id }],
  ]);
  assert.deepEqual(
    (await audited(id)).map(({ action, result }) => [action, result]),
    [
      ['WITHDRAWAL_CREATED', 'SUCCESS'],
      ['WITHDRAWAL_COMMITTED', 'SUCCESS'],
      ['WITHDRAWAL_PAYOUT_MADE', 'SUCCESS'],
      ['WITHDRAWAL_COMPLETED', 'SUCCESS'],
    ],
  );
  await assertSound();
});

test('200 pays a ledger address from custody, and what the wallet lacked came from the treasury', async (t) => {
  const fixture = await openSharedWithdrawals(t, { ledger: true });
  const { aPayee, aWithdrawal, commit, outsideAddress, dollarsAt, fillTreasury, addressOf, balance, eventsOf, app } =
    fixture;
  const userId = await aPayee();
  await fillTreasury();
  const address = await outsideAddress();
  const own = await addressOf(userId);
  const made = await aWithdrawal({ userId, body: { destination: { type: 'crypto', address, ref: 'my wallet' } } });
  const done = await commit(made.id);
  assert.equal(done.status, 'WITHDRAWAL_COMPLETED');
  assert.deepEqual([await dollarsAt(address), await dollarsAt(own)], ['25.5000000', '0.0000000']);
  assert.equal(await balance(userId), '74.50 + 0.00');
  const [transaction] = await app.sql("select * from ledger_transactions where purpose = 'withdrawal'");
  assert.deepEqual([transaction.id, transaction.state], [done.transactionHash, 'SUCCEEDED']);
  assert.deepEqual(
    (await eventsOf(made)).slice(2).map(([type]) => type),
    ['withdrawal.created', 'withdrawal.committed', 'withdrawal.completed'],
  );
  await fixture.assertSound();
});

test('200 pays the native asset, and leaves the wallet what it needs to live', async (t) => {
  const fixture = await openSharedWithdrawals(t, { ledger: true });
  const { aPayee, aWithdrawal, commit, outsideAddress, addressOf, ledger, assertSound } = fixture;
  const userId = await aPayee({ currency: 'XLM' });
  await addressOf(userId);
  const address = await outsideAddress({ trust: false });
  const made = await aWithdrawal({ userId, body: { currency: 'XLM', destination: { type: 'crypto', address } } });
  assert.equal((await commit(made.id)).status, 'WITHDRAWAL_COMPLETED');
  const { balances } = await ledger.horizon.loadAccount(address);
  assert.equal(balances[0]!.balance, '10025.5000000');
  await assertSound();
});

test("200 to another user's address is a deposit there", async (t) => {
  const fixture = await openSharedWithdrawals(t, { ledger: true });
  const { aPayee, aWithdrawal, commit, fillTreasury, addressOf, balance, expect, assertSound } = fixture;
  const userId = await aPayee();
  const other = await aPayee({ available: '1.00' });
  await fillTreasury();
  const destination = { type: 'crypto', address: await addressOf(other) };
  const made = await aWithdrawal({ userId, body: { destination } });
  assert.equal((await commit(made.id)).status, 'WITHDRAWAL_COMPLETED');
  // Takes the deposit in now.
  await expect(`POST /users/${other}/balance/sync`, { status: 200 });
  assert.equal(await balance(other), '26.50 + 0.00');
  assert.equal(await balance(userId), '74.50 + 0.00');
  await assertSound();
});

test('200 once for an Idempotency-Key: a repeat gets the same answer, and it is paid once', async (t) => {
  const { app, aWithdrawal, payouts } = await openSharedWithdrawals(t);
  const { id } = await aWithdrawal();
  const ask = { headers: { 'idempotency-key': randomUUID() } };
  const first = await app.call(`POST /withdrawals/${id}/commit`, ask);
  const again = await app.call(`POST /withdrawals/${id}/commit`, ask);
  assert.deepEqual([first.status, again.status, again.text], [200, 200, first.text]);
  assert.equal(payouts().length, 1);
});

test('409 INVALID_STATE in every status except the first, with the current status', async (t) => {
  const { app, aWithdrawal, commit, move, payouts, assertSound } = await openSharedWithdrawals(t);
  const { id } = await aWithdrawal();
  const { committedAt } = await commit(id);
  const steps = [
    ['pend', 'WITHDRAWAL_COMMITTED'],
    ['require-action', 'WITHDRAWAL_PENDING'],
    ['complete', 'WITHDRAWAL_PENDING_USER_ACTION'],
  ] as const;
  for (const [next, currentState] of steps) {
    const { status, body } = await app.call(`POST /withdrawals/${id}/commit`);
    assert.deepEqual([status, body.error.code], [409, 'INVALID_STATE']);
    const { requestId: _, docUrl: __, ...details } = body.error.details;
    const operation = { id, kind: 'withdrawal', state: 'RUNNING', startedAt: committedAt };
    assert.deepEqual(details, { currentState, allowedActions: [], operation });
    await move(id, next);
  }
  const over = await app.call(`POST /withdrawals/${id}/commit`);
  assert.deepEqual([over.status, over.body.error.details.currentState], [409, 'WITHDRAWAL_COMPLETED']);
  assert.equal(over.body.error.details.operation, undefined);
  assert.equal(payouts().length, 1);
  await assertSound();
});

test('409 INVALID_STATE while the user is suspended, and it can be committed when the user is back', async (t) => {
  const { app, aWithdrawal, commit, get, payouts } = await openSharedWithdrawals(t);
  const { id, userId } = await aWithdrawal();
  await app.call(`POST /users/${userId}/suspend`);
  const { status, body } = await app.call(`POST /withdrawals/${id}/commit`);
  assert.deepEqual([status, body.error.details.currentState], [409, 'SUSPENDED']);
  assert.deepEqual([(await get(id)).status, payouts()], ['WITHDRAWAL_CREATED', []]);
  await app.call(`POST /users/${userId}/reactivate`);
  assert.equal((await commit(id)).status, 'WITHDRAWAL_COMMITTED');
});

test('500 INTERNAL_ERROR with the reason when the provider refuses to make it, and the money is back', async (t) => {
  const { app, arm, aWithdrawal, get, balance, eventsOf, payouts, assertSound } = await openSharedWithdrawals(t);
  const made = await aWithdrawal();
  const { id, userId } = made;
  arm({ operation: 'payout', fault: 'refusal', match: id });
  const { status, body } = await app.call(`POST /withdrawals/${id}/commit`);
  assert.deepEqual([status, body.error.code], [500, 'INTERNAL_ERROR']);
  const { withdrawalId, reason, errorCode, provider } = body.error.details;
  assert.deepEqual([withdrawalId, errorCode, provider], [id, '415903', 'payment-provider']);
  const failed = await get(id);
  assert.deepEqual([failed.status, failed.failureReason, failed.errorCode], ['WITHDRAWAL_FAILED', reason, '415903']);
  assert.equal(await balance(userId), '100.00 + 0.00');
  assert.deepEqual((await eventsOf(made)).slice(4), [
    [
      'balance.credited',
      {
        userId,
        amount: '25.50',
        currency: 'USD',
        source: 'withdrawal_cancel',
        sourceId: id,
        previousAvailableBalance: '74.50',
        newAvailableBalance: '100.00',
      },
    ],
    ['withdrawal.failed', { withdrawalId: id, userId, amount: '25.50', reason, errorCode: '415903' }],
  ]);
  assert.deepEqual(payouts(), []);
  await assertSound();
});

test('500 INTERNAL_ERROR when the provider has too little: what it made is cancelled there first', async (t) => {
  const sandbox = { payment: { openingBalance: 0 } };
  const { app, aWithdrawal, get, balance, payoutOf, eventsOf, assertSound } = await openWithdrawals(t, { sandbox });
  await grantCreditLine(app);
  const made = await aWithdrawal();
  const { status, body } = await app.call(`POST /withdrawals/${made.id}/commit`);
  assert.deepEqual([status, body.error.details.errorCode], [500, '415016']);
  assert.equal(payoutOf(made.id)!.status, 'CANCELED');
  const failed = await get(made.id);
  assert.deepEqual([failed.status, failed.errorCode, failed.canceledBy], ['WITHDRAWAL_FAILED', '415016', null]);
  assert.equal(await balance(made.userId), '100.00 + 0.00');
  assert.deepEqual(
    (await eventsOf(made)).slice(4).map(([type]) => type),
    ['balance.credited', 'withdrawal.failed'],
  );
  await assertSound();
});

test('500 INTERNAL_ERROR when the ledger refuses, or the treasury has nothing: the money is back', async (t) => {
  const fixture = await openSharedWithdrawals(t, { ledger: true });
  const { app, arm, aPayee, aWithdrawal, outsideAddress, fillTreasury, get, balance, dollarsAt, assertSound } = fixture;
  const userId = await aPayee();
  const destination = { type: 'crypto', address: await outsideAddress() };
  const poor = await aWithdrawal({ userId, body: { destination } });
  const first = await app.call(`POST /withdrawals/${poor.id}/commit`);
  assert.deepEqual([first.status, first.body.error.details.provider], [500, 'ledger-network']);
  assert.equal((await get(poor.id)).transactionHash, null);

  await fillTreasury();
  const made = await aWithdrawal({ userId, body: { destination } });
  arm({ operation: 'payment', fault: 'refusal', match: destination.address });
  const second = await app.call(`POST /withdrawals/${made.id}/commit`);
  assert.equal(second.status, 500);
  const failed = await get(made.id);
  assert.deepEqual([failed.status, failed.errorCode], ['WITHDRAWAL_FAILED', 'tx_failed']);
  assert.equal(await balance(userId), '100.00 + 0.00');
  assert.equal(await dollarsAt(destination.address), '0.0000000');
  await assertSound();
});

test('504 PROVIDER_TIMEOUT names the withdrawal, which keeps its money and continues', async (t) => {
  const fixture = await openSharedWithdrawals(t, { env: HURRIED });
  const { app, arm, aWithdrawal, get, balance, untilPayout, payouts, assertSound } = fixture;
  const { id, userId } = await aWithdrawal();
  arm({ operation: 'payout', fault: 'timeout', match: id });
  const { status, body } = await app.call(`POST /withdrawals/${id}/commit`);
  assert.deepEqual([status, body.error.code], [504, 'PROVIDER_TIMEOUT']);
  assert.deepEqual([body.error.details.withdrawalId, body.error.details.provider], [id, 'payment-provider']);
  assert.equal((await get(id)).status, 'WITHDRAWAL_COMMITTED');
  assert.equal(await balance(userId), '74.50 + 25.50');
  await untilPayout(id, 'COMMITTED');
  assert.equal(payouts().length, 1);
  await assertSound();
});
