// Withdrawals while the payment provider and its webhooks misbehave: an unknown outcome stays open until it is known, money
// that may still be paid is not given back, and afterwards the books agree with the provider.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { type Any, HURRIED } from './payment-fixture.ts';
import {
  askToCommit,
  assertCarriedOn,
  assertGoesOn,
  assertSlowAnswerCounts,
  assertWebhooksEndTheSame,
  BACK,
  HELD,
  type LastingFault,
  PAID,
} from './payout-fault-checks.ts';
import { openSharedWithdrawals } from './withdrawal-fixture.ts';
import { openProcess } from './withdrawal-process.ts';

test('payout-commit: a slow answer is accepted', async (t) => {
  await assertSlowAnswerCounts(t, 'payout-commit');
});

// One fault for each operation; contract/withdrawals-commit.test.ts has a timeout, payout-faults.long.test.ts the rest.
const LASTING: readonly LastingFault[] = [
  { operation: 'payout', fault: 'outage' },
  { operation: 'payout-commit', fault: 'lost-answer' },
];

for (const lasting of LASTING) {
  const { operation, fault } = lasting;
  test(`${operation}: after a lasting ${fault} no money is given back, and the withdrawal continues automatically`, async (t) => {
    await assertCarriedOn(t, lasting);
  });
}

test('payout: a payout that failed at once fails the withdrawal, with HTTP 200 or not', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { arm, aWithdrawal, get, balance, assertSound } = fixture;
  for (const operation of ['payout', 'payout-commit']) {
    const { id, userId } = await aWithdrawal();
    arm({ operation, fault: 'http-200-failed', match: id });
    assert.equal(await askToCommit(fixture, id), '500 INTERNAL_ERROR', operation);
    const { status, failureReason } = await get(id);
    assert.equal(status, 'WITHDRAWAL_FAILED');
    assert.match(failureReason, /could not be delivered/);
    assert.equal(await balance(userId), BACK);
  }
  await assertSound();
});

test('payout-commit: a refused payout is cancelled at the provider before the money is given back', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { arm, aWithdrawal, get, payoutOf, balance, audited, assertSound } = fixture;
  const { id, userId } = await aWithdrawal();
  arm({ operation: 'payout-commit', fault: 'refusal', match: id });
  assert.equal(await askToCommit(fixture, id), '500 INTERNAL_ERROR');
  assert.equal(payoutOf(id)!.status, 'CANCELED');
  const { status, errorCode } = await get(id);
  assert.deepEqual([status, errorCode], ['WITHDRAWAL_FAILED', '415903']);
  assert.equal(await balance(userId), BACK);
  const actions = (await audited(id)).map(({ action }) => action);
  assert.deepEqual(actions.slice(-2), ['WITHDRAWAL_CALLED_OFF', 'WITHDRAWAL_FAILED']);
  await assertSound();
});

test('payout-commit: no money is given back for a lost commitment while the provider refuses to show it', async (t) => {
  const fixture = await openSharedWithdrawals(t, { env: HURRIED, webhooks: false });
  const { app, arm, sandbox, aWithdrawal, payoutOf, get, balance } = fixture;
  const made = await aWithdrawal();
  arm({ operation: 'payout-commit', fault: 'lost-answer', match: made.id });
  arm({ operation: 'payout-get', fault: 'refusal', count: 1_000, match: made.id });
  assert.equal(await askToCommit(fixture, made.id), '504 PROVIDER_TIMEOUT');
  assert.equal((await app.call(`POST /withdrawals/${made.id}/refresh`)).status, 500);
  assert.equal(payoutOf(made.id)!.status, 'COMMITTED');
  assert.deepEqual([(await get(made.id)).status, await balance(made.userId)], ['WITHDRAWAL_COMMITTED', HELD]);
  sandbox.faults.clear();
  await assertGoesOn(fixture, made);
});

test('payout: a payout over another amount is cancelled before it is committed, and the money is given back', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { arm, aWithdrawal, get, payouts, balance, assertSound } = fixture;
  const { id, userId } = await aWithdrawal();
  arm({ operation: 'payout', fault: 'wrong-amount', match: id });
  assert.equal(await askToCommit(fixture, id), '500 INTERNAL_ERROR');
  const { status, errorCode } = await get(id);
  assert.deepEqual([status, errorCode], ['WITHDRAWAL_FAILED', 'MISMATCH']);
  assert.deepEqual(
    payouts().map((payout) => payout.status),
    ['CANCELED'],
  );
  assert.equal(await balance(userId), BACK);
  await assertSound();
});

test('payout-commit: a payout over another amount is settled as executed, the operator bears the difference, and an alert says so', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { arm, aWithdrawal, move, untilStatus, balance, eventsOf, audited, expect, app, assertSound } = fixture;
  const made = await aWithdrawal();
  const { id, userId } = made;
  arm({ operation: 'payout-commit', fault: 'wrong-amount', match: id });
  assert.equal(await askToCommit(fixture, id), '500 INTERNAL_ERROR');
  assert.equal(await balance(userId), HELD);
  await move(id, 'complete');
  await untilStatus(id, 'WITHDRAWAL_COMPLETED');
  assert.equal(await balance(userId), PAID);
  const [excess] = await app.sql(
    "select amount, counter_account_id from postings where move = 'payout_excess' and amount > 0",
  );
  assert.deepEqual(excess, { amount: '10000000', counter_account_id: 'operator:adjustments:USD' });
  assert.ok((await eventsOf(made)).some(([type]) => type === 'withdrawal.completed'));
  const [row] = await app.sql("select envelope from events where event_type = 'withdrawal.completed'");
  const { executedAmount, difference } = JSON.parse(row.envelope).metadata;
  assert.deepEqual([executedAmount, difference], ['26.50', '1.00']);
  const entry = (await audited(id)).find(({ action }: Any) => action === 'WITHDRAWAL_COMPLETED');
  assert.match(JSON.stringify(entry.payload_after), /executedAmount.*26\.50/);
  const alerts = () => expect('GET /reconciliation/breaks?kind=payout-amount&open=true', { status: 200 });
  await until(async () => (await alerts()).length === 1, 'the alert is shown');
  const [alert] = await alerts();
  assert.deepEqual([alert.subject, alert.expected, alert.actual], [id, '25.5000000', '26.5000000']);
  assert.match(await (await fetch(`${app.url}/metrics`)).text(), /holdfast_open_breaks\{kind="payout-amount"\}/);
  // As after a crash between the commit and the alert.
  await app.sql('delete from breaks where subject = $1', [id]);
  const { refresh } = await openProcess(t, fixture);
  await refresh();
  const [again] = await alerts();
  assert.deepEqual([again.subject, again.expected, again.actual], [id, '25.5000000', '26.5000000']);
  await assertSound();
});

test('payout-get: one read that shows another amount settles nothing', async (t) => {
  const fixture = await openSharedWithdrawals(t, { webhooks: false });
  const { arm, aWithdrawal, commit, move, refresh, app, balance } = fixture;
  const { id, userId } = await aWithdrawal();
  await commit(id);
  await move(id, 'complete');
  arm({ operation: 'payout-get', fault: 'wrong-amount', count: 2, match: id });
  assert.equal((await app.call(`POST /withdrawals/${id}/refresh`)).status, 500);
  assert.equal(await balance(userId), HELD);
  fixture.sandbox.faults.clear();
  assert.equal((await refresh(id)).status, 'WITHDRAWAL_COMPLETED');
  assert.deepEqual(await app.sql("select 1 from postings where move in ('payout_excess', 'payout_shortfall')"), []);
  await fixture.assertSound();
});

test('payout-get: a commitment that cannot be read still counts', async (t) => {
  const fixture = await openSharedWithdrawals(t, { env: HURRIED });
  const made = await fixture.aWithdrawal();
  fixture.arm({ operation: 'payout-get', fault: 'timeout', count: 2, match: made.id });
  assert.equal(await askToCommit(fixture, made.id), '200 WITHDRAWAL_COMMITTED');
  fixture.sandbox.faults.clear();
  await assertGoesOn(fixture, made);
});

test('a withdrawal waits for a recipient without an account, and an event says so', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { aWithdrawal, commit, eventsOf, move, balance, assertSound } = fixture;
  const made = await aWithdrawal({ body: { destination: { type: 'bank', email: 'unknown@bank.example' } } });
  assert.equal((await commit(made.id)).status, 'WITHDRAWAL_PENDING');
  assert.equal((await eventsOf(made)).at(-1)![0], 'withdrawal.pending');
  await move(made.id, 'complete');
  assert.equal(await balance(made.userId), PAID);
  await assertSound();
});

test('webhooks: duplicate, late and reordered webhooks have the same result, in the neutral spelling', async (t) => {
  await assertWebhooksEndTheSame(t, 'neutral');
});
