// POST /withdrawals/{id}/refresh, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HURRIED, LIMITED } from '../payments/payment-fixture.ts';
import { openSharedWithdrawals } from '../payments/withdrawal-fixture.ts';

test('200 takes what the provider says: waiting, something to do for the user, then paid', async (t) => {
  const fixture = await openSharedWithdrawals(t, { webhooks: false, env: LIMITED });
  const { aWithdrawal, commit, refresh, move, balance, eventsOf, assertSound } = fixture;
  const made = await aWithdrawal();
  const { id, userId } = made;
  assert.deepEqual(await refresh(id), made, 'the provider gets no request about a withdrawal that is not committed');
  const committed = await commit(id);
  assert.deepEqual(await refresh(id), committed);
  await move(id, 'pend');
  assert.equal((await refresh(id)).status, 'WITHDRAWAL_PENDING');
  await move(id, 'require-action', 'Tell us where you live');
  const waiting = await refresh(id);
  assert.deepEqual(
    [waiting.status, waiting.actionRequired, waiting.actionUrl],
    ['WITHDRAWAL_PENDING_USER_ACTION', 'Tell us where you live', 'https://app.pay.example'],
  );
  await move(id, 'pend');
  const again = await refresh(id);
  assert.deepEqual([again.status, again.actionRequired, again.actionUrl], ['WITHDRAWAL_PENDING', null, null]);
  assert.equal(await balance(userId), '74.50 + 25.50');
  await move(id, 'complete');
  const done = await refresh(id);
  assert.equal(done.status, 'WITHDRAWAL_COMPLETED');
  assert.deepEqual(await refresh(id), done);
  assert.equal(await balance(userId), '74.50 + 0.00');
  const { providerPayoutId } = done;
  const pending = ['withdrawal.pending', { withdrawalId: id, userId, providerPayoutId, amount: '25.50' }];
  const action = { actionRequired: 'Tell us where you live', actionUrl: 'https://app.pay.example' };
  assert.deepEqual((await eventsOf(made)).slice(4, -1), [
    pending,
    ['withdrawal.pending_user_action', { withdrawalId: id, userId, ...action }],
    pending,
  ]);
  await assertSound();
});

test('200 gives the money back for what failed, and for what was cancelled', async (t) => {
  const fixture = await openSharedWithdrawals(t, { webhooks: false });
  const { aWithdrawal, commit, refresh, move, balance, eventsOf, assertSound } = fixture;
  const failed = await aWithdrawal();
  const canceled = await aWithdrawal();
  for (const { id } of [failed, canceled]) await commit(id);
  await move(failed.id, 'fail', 'The account is closed');
  await move(canceled.id, 'cancel', 'The recipient said no');
  const one = await refresh(failed.id);
  assert.deepEqual(
    [one.status, one.failureReason, one.canceledBy],
    ['WITHDRAWAL_FAILED', 'The account is closed', null],
  );
  const other = await refresh(canceled.id);
  assert.deepEqual(
    [other.status, other.failureReason, other.canceledBy],
    ['WITHDRAWAL_CANCELED', 'The recipient said no', 'payment-provider'],
  );
  for (const { userId } of [failed, canceled]) assert.equal(await balance(userId), '100.00 + 0.00');
  const { id: withdrawalId, userId } = canceled;
  assert.deepEqual((await eventsOf(canceled)).slice(4), [
    [
      'balance.credited',
      {
        userId,
        amount: '25.50',
        currency: 'USD',
        source: 'withdrawal_cancel',
        sourceId: withdrawalId,
        previousAvailableBalance: '74.50',
        newAvailableBalance: '100.00',
      },
    ],
    [
      'withdrawal.canceled',
      {
        withdrawalId,
        userId,
        amount: '25.50',
        canceledBy: 'payment-provider',
        reason: 'The recipient said no',
        refundedToBalance: true,
        newAvailableBalance: '100.00',
      },
    ],
  ]);
  await assertSound();
});

test('200 without asking anybody for one that is over', async (t) => {
  const { aWithdrawal, commit, move, refresh, arm } = await openSharedWithdrawals(t);
  const ends = { complete: 'WITHDRAWAL_COMPLETED', cancel: 'WITHDRAWAL_CANCELED', fail: 'WITHDRAWAL_FAILED' };
  for (const [how, end] of Object.entries(ends)) {
    const { id } = await aWithdrawal();
    await commit(id);
    await move(id, how as keyof typeof ends);
    arm({ operation: 'payout-get', fault: 'refusal', count: 2, match: id });
    assert.equal((await refresh(id)).status, end);
  }
});

test('500 INTERNAL_ERROR for a record over another amount, and nothing moves', async (t) => {
  const fixture = await openSharedWithdrawals(t, { webhooks: false });
  const { app, aWithdrawal, commit, move, arm, get, refresh, balance, assertSound } = fixture;
  const { id, userId } = await aWithdrawal();
  await commit(id);
  await move(id, 'complete');
  arm({ operation: 'payout-get', fault: 'wrong-amount', match: id });
  const { status, body } = await app.call(`POST /withdrawals/${id}/refresh`);
  assert.deepEqual([status, body.error.code], [500, 'INTERNAL_ERROR']);
  assert.match(body.error.message, /26\.50.*25\.50/);
  assert.deepEqual([await balance(userId), (await get(id)).status], ['74.50 + 25.50', 'WITHDRAWAL_COMMITTED']);
  assert.equal((await refresh(id)).status, 'WITHDRAWAL_COMPLETED');
  await assertSound();
});

test('500 INTERNAL_ERROR while the provider refuses to show it, 504 while it does not answer', async (t) => {
  const fixture = await openSharedWithdrawals(t, { webhooks: false, env: HURRIED });
  const { app, sandbox, aWithdrawal, commit, arm, get } = fixture;
  const { id } = await aWithdrawal();
  const committed = await commit(id);
  arm({ operation: 'payout-get', fault: 'refusal', match: id });
  const refused = await app.call(`POST /withdrawals/${id}/refresh`);
  assert.deepEqual([refused.status, refused.body.error.details.withdrawalId], [500, id]);
  arm({ operation: 'payout-get', fault: 'timeout', count: 9, match: id });
  const silent = await app.call(`POST /withdrawals/${id}/refresh`);
  assert.deepEqual([silent.status, silent.body.error.code], [504, 'PROVIDER_TIMEOUT']);
  sandbox.faults.clear();
  assert.deepEqual(await get(id), committed);
});

test('200 carries one on whose payment was left in the middle', async (t) => {
  const fixture = await openSharedWithdrawals(t, { webhooks: false, env: HURRIED });
  const { app, sandbox, aWithdrawal, refresh, arm, payoutOf, payouts, assertSound } = fixture;
  const { id } = await aWithdrawal();
  arm({ operation: 'payout', fault: 'outage', count: 99, match: id });
  assert.equal((await app.call(`POST /withdrawals/${id}/commit`)).status, 504);
  sandbox.faults.clear();
  assert.equal((await refresh(id)).status, 'WITHDRAWAL_COMMITTED');
  assert.deepEqual([payouts().length, payoutOf(id)!.status], [1, 'COMMITTED']);
  await assertSound();
});
