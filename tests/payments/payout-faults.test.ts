// Withdrawals while the payment provider and its webhooks misbehave: what is not known stays open until it is known, nothing is
// given back that may still be paid, and afterwards the money is the same here and there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Any } from './payment-stand.ts';
import { openWithdrawals, type WithdrawalStand } from './withdrawal-stand.ts';

const HURRIED = { PROVIDER_TIMEOUT_MS: '1000' };
const HELD = '74.50 + 25.50';
const PAID = '74.50 + 0.00';
const BACK = '100.00 + 0.00';

const askToCommit = async ({ app }: WithdrawalStand, id: string): Promise<string> => {
  const { status, body } = await app.call(`POST /withdrawals/${id}/commit`);
  return `${status} ${body.error?.code ?? body.data.status}`;
};

/** However it came about: handed over once, and completed when the provider has paid. */
const assertGoesOn = async (stand: WithdrawalStand, { id, userId }: Any): Promise<void> => {
  const { untilPayout, payouts, move, refresh, balance, assertSound } = stand;
  await untilPayout(id, 'COMMITTED');
  assert.equal(payouts().length, 1);
  assert.equal(await balance(userId), HELD);
  await move(id, 'complete');
  assert.equal((await refresh(id)).status, 'WITHDRAWAL_COMPLETED');
  assert.equal(await balance(userId), PAID);
  await assertSound();
};

for (const operation of ['payout', 'payout-commit'] as const) {
  test(`${operation}: a slow answer is an answer`, async (t) => {
    const stand = await openWithdrawals(t);
    const made = await stand.withdrawal();
    stand.arm({ operation, fault: 'slow', delayMs: 150 });
    assert.equal(await askToCommit(stand, made.id), '200 WITHDRAWAL_COMMITTED');
    await assertGoesOn(stand, made);
  });

  for (const fault of ['outage', 'timeout', 'lost-answer']) {
    test(`${operation}: after a lasting ${fault} nothing is given back, and it is carried on by itself`, async (t) => {
      const stand = await openWithdrawals(t, { env: HURRIED, webhooks: false });
      const made = await stand.withdrawal();
      stand.arm({ operation, fault, count: 3 });
      assert.equal(await askToCommit(stand, made.id), '504 PROVIDER_TIMEOUT');
      assert.equal((await stand.get(made.id)).status, 'WITHDRAWAL_COMMITTED');
      assert.equal(await stand.balance(made.userId), HELD);
      await assertGoesOn(stand, made);
    });
  }
}

test('payout: one that failed at once has failed, with HTTP 200 or not', async (t) => {
  const stand = await openWithdrawals(t);
  const { arm, withdrawal, get, balance, assertSound } = stand;
  for (const operation of ['payout', 'payout-commit']) {
    const { id, userId } = await withdrawal();
    arm({ operation, fault: 'http-200-failed' });
    assert.equal(await askToCommit(stand, id), '500 INTERNAL_ERROR', operation);
    const { status, failureReason } = await get(id);
    assert.equal(status, 'WITHDRAWAL_FAILED');
    assert.match(failureReason, /could not be delivered/);
    assert.equal(await balance(userId), BACK);
  }
  await assertSound();
});

test('payout-commit: one that is refused is cancelled at the provider before anything is given back', async (t) => {
  const stand = await openWithdrawals(t);
  const { arm, withdrawal, get, payoutOf, balance, audited, assertSound } = stand;
  const { id, userId } = await withdrawal();
  arm({ operation: 'payout-commit', fault: 'refusal' });
  assert.equal(await askToCommit(stand, id), '500 INTERNAL_ERROR');
  assert.equal(payoutOf(id)!.status, 'CANCELED');
  const { status, errorCode } = await get(id);
  assert.deepEqual([status, errorCode], ['WITHDRAWAL_FAILED', '415903']);
  assert.equal(await balance(userId), BACK);
  const actions = (await audited(id)).map(({ action }) => action);
  assert.deepEqual(actions.slice(-2), ['WITHDRAWAL_CALLED_OFF', 'WITHDRAWAL_FAILED']);
  await assertSound();
});

test('payout-commit: nothing is given back for a lost commitment while the provider refuses to show it', async (t) => {
  const stand = await openWithdrawals(t, { env: HURRIED, webhooks: false });
  const { app, arm, sandbox, withdrawal, payoutOf, get, balance } = stand;
  const made = await withdrawal();
  arm({ operation: 'payout-commit', fault: 'lost-answer' });
  arm({ operation: 'payout-get', fault: 'refusal', count: 1_000 });
  assert.equal(await askToCommit(stand, made.id), '504 PROVIDER_TIMEOUT');
  assert.equal((await app.call(`POST /withdrawals/${made.id}/refresh`)).status, 500);
  assert.equal(payoutOf(made.id)!.status, 'COMMITTED');
  assert.deepEqual([(await get(made.id)).status, await balance(made.userId)], ['WITHDRAWAL_COMMITTED', HELD]);
  sandbox.faults.clear();
  await assertGoesOn(stand, made);
});

test('payout: one over another amount is cancelled before it is committed, and the money is back', async (t) => {
  const stand = await openWithdrawals(t);
  const { arm, withdrawal, get, payouts, balance, assertSound } = stand;
  const { id, userId } = await withdrawal();
  arm({ operation: 'payout', fault: 'wrong-amount' });
  assert.equal(await askToCommit(stand, id), '500 INTERNAL_ERROR');
  const { status, errorCode } = await get(id);
  assert.deepEqual([status, errorCode], ['WITHDRAWAL_FAILED', 'MISMATCH']);
  assert.deepEqual(
    payouts().map((payout) => payout.status),
    ['CANCELED'],
  );
  assert.equal(await balance(userId), BACK);
  await assertSound();
});

test('payout-commit: one that the provider pays over another amount keeps its money until somebody decides', async (t) => {
  const stand = await openWithdrawals(t);
  const { arm, withdrawal, get, move, payoutOf, balance, app } = stand;
  const { id, userId } = await withdrawal();
  arm({ operation: 'payout-commit', fault: 'wrong-amount' });
  assert.equal(await askToCommit(stand, id), '500 INTERNAL_ERROR');
  await move(id, 'complete');
  assert.deepEqual([payoutOf(id)!.status, payoutOf(id)!.amount], ['COMPLETED', 26.5]);
  assert.equal((await get(id)).status, 'WITHDRAWAL_COMMITTED');
  assert.equal(await balance(userId), HELD);
  const [event] = await app.sql("select state, failure from webhook_events where type = 'payout.completed'");
  assert.equal(event.state, 'FAILED');
  assert.match(event.failure, /26\.50.*25\.50/);
});

test('payout-get: a commitment that cannot be looked at is still one', async (t) => {
  const stand = await openWithdrawals(t, { env: HURRIED });
  const made = await stand.withdrawal();
  stand.arm({ operation: 'payout-get', fault: 'timeout', count: 2 });
  assert.equal(await askToCommit(stand, made.id), '200 WITHDRAWAL_COMMITTED');
  stand.sandbox.faults.clear();
  await assertGoesOn(stand, made);
});

test('a recipient without an account is waited for, and told of', async (t) => {
  const stand = await openWithdrawals(t);
  const { withdrawal, commit, told, move, balance, assertSound } = stand;
  const made = await withdrawal({ body: { destination: { type: 'bank', email: 'unknown@bank.example' } } });
  assert.equal((await commit(made.id)).status, 'WITHDRAWAL_PENDING');
  assert.equal((await told(made)).at(-1)![0], 'withdrawal.pending');
  await move(made.id, 'complete');
  assert.equal(await balance(made.userId), PAID);
  await assertSound();
});

test('webhooks: a dropped one is made up for by a look, a forged one is refused', async (t) => {
  const stand = await openWithdrawals(t);
  const { arm, withdrawal, commit, move, get, refresh, balance, assertSound } = stand;
  for (const fault of ['drop', 'bad-signature']) {
    const { id, userId } = await withdrawal();
    await commit(id);
    arm({ operation: 'webhook', fault });
    await move(id, 'complete');
    assert.equal((await get(id)).status, 'WITHDRAWAL_COMMITTED', fault);
    await refresh(id);
    assert.equal(await balance(userId), PAID, fault);
  }
  await assertSound();
});

for (const spelling of ['native', 'neutral'] as const) {
  test(`webhooks: duplicates, late ones and another order end in the same, in the ${spelling} spelling`, async (t) => {
    const stand = await openWithdrawals(t, { spelling });
    const { arm, withdrawal, commit, move, get, control, balance, assertSound } = stand;
    const twice = await withdrawal();
    await commit(twice.id);
    arm({ operation: 'webhook', fault: 'duplicate' });
    await move(twice.id, 'complete');
    assert.equal(await balance(twice.userId), PAID);

    const late = await withdrawal();
    await commit(late.id);
    arm({ operation: 'webhook', fault: 'late', delayMs: 60_000 });
    await move(late.id, 'fail');
    assert.equal(await balance(late.userId), HELD);
    await control('POST /clock/advance', { seconds: 61 });
    assert.equal(await balance(late.userId), BACK);

    const turned = await withdrawal();
    await commit(turned.id);
    arm({ operation: 'webhook', fault: 'reorder' });
    await move(turned.id, 'pend');
    await move(turned.id, 'complete');
    await control('POST /clock/advance', { seconds: 61 });
    assert.equal((await get(turned.id)).status, 'WITHDRAWAL_COMPLETED');
    assert.equal(await balance(turned.userId), PAID);
    await assertSound();
  });
}

test('webhooks: one that we could not take is told again, and then taken', async (t) => {
  const stand = await openWithdrawals(t);
  const { app, withdrawal, commit, move, listenAt, control, balance, assertSound } = stand;
  const { id, userId } = await withdrawal();
  await commit(id);
  listenAt({ ...app, url: 'http://127.0.0.1:9' });
  await move(id, 'complete');
  listenAt(app);
  assert.equal(await balance(userId), HELD);
  await control('POST /clock/advance', { seconds: 10 });
  assert.equal(await balance(userId), PAID);
  await assertSound();
});
