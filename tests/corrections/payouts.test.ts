// The correction settle-payout: a payout that differs from what was asked for is settled as the provider's record proves, once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { openSharedWithdrawals, type WithdrawalFixture } from '../payments/withdrawal-fixture.ts';
import { codeOf } from '../support/app.ts';
import { type Any, corrections } from './correct.ts';

const KIND = 'settle-payout';
const MANY = 10_000;

const openAlerts = ({ expect }: WithdrawalFixture): Promise<Any[]> =>
  expect('GET /reconciliation/breaks?kind=payout-amount&open=true', { status: 200 });

/** A withdrawal of 25.50 that the provider executed over another amount. */
const differing = async (fixture: WithdrawalFixture, fault: 'short' | 'wrong-amount'): Promise<Any> => {
  const { arm, aWithdrawal, app, move, untilStatus } = fixture;
  const made = await aWithdrawal();
  arm({ operation: 'payout-commit', fault, match: made.id });
  await app.call(`POST /withdrawals/${made.id}/commit`);
  await move(made.id, 'complete');
  await untilStatus(made.id, 'WITHDRAWAL_COMPLETED');
  await until(async () => (await openAlerts(fixture)).length === 1, 'the alert is shown');
  return made;
};

test('a payout over less returns the rest to the user once, and the alert ends', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { app, balance, eventsOf, assertSound } = fixture;
  const { make, refuse } = corrections(app);
  const made = await differing(fixture, 'short');
  const { id, userId } = made;
  const paid = await balance(userId);
  await refuse({ kind: KIND, resourceId: id, amount: '5.00' }, /returned as a whole/);
  const settled = await make({ kind: KIND, resourceId: id });
  assert.deepEqual([settled.before.amount, settled.before.executed], ['25.50', '12.75']);
  assert.deepEqual([settled.amount, settled.currency], ['12.75', 'USD']);
  const [available] = paid.split(' + ');
  assert.equal(settled.before.available, available);
  assert.equal(Number(settled.after.available) - Number(settled.before.available), 12.75);
  assert.ok((await eventsOf(made)).some(([type]: string[]) => type === 'balance.credited'));
  await until(async () => (await openAlerts(fixture)).length === 0, 'the alert has ended');
  await refuse({ kind: KIND, resourceId: id }, /settled already/);
  await assertSound();
});

test('a payout over more stays a loss of the operator, or is taken from the user as far as the caller says', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { app, balance, assertSound } = fixture;
  const { make, refuse, send } = corrections(app);
  const borne = await differing(fixture, 'wrong-amount');
  const before = await balance(borne.userId);
  assert.deepEqual((await make({ kind: KIND, resourceId: borne.id })).amount, null);
  assert.equal(await balance(borne.userId), before);
  await until(async () => (await openAlerts(fixture)).length === 0, 'the alert has ended');

  const taken = await differing(fixture, 'wrong-amount');
  await refuse({ kind: KIND, resourceId: taken.id, amount: '1.01' }, /at most/);
  assert.equal((await make({ kind: KIND, resourceId: taken.id, amount: '1.00' })).amount, '1.00');
  assert.equal(codeOf(await send({ kind: KIND, resourceId: taken.id })), '409 CORRECTION_REFUSED');
  await assertSound();
});

test('several corrections at the same time return the rest once', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { send } = corrections(fixture.app);
  const { id, userId } = await differing(fixture, 'short');
  const [before] = (await fixture.balance(userId)).split(' + ');
  const answers = await Promise.all([1, 2, 3, 4].map(() => send({ kind: KIND, resourceId: id })));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409, 409]);
  const [after] = (await fixture.balance(userId)).split(' + ');
  assert.equal(Number(after) - Number(before), 12.75);
  await fixture.assertSound();
});

test('a withdrawal that the provider does not know is given up, and is never paid afterwards', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { arm, aWithdrawal, app, balance, payouts, refresh, get, assertSound } = fixture;
  const { make, refuse } = corrections(app);
  const { id, userId } = await aWithdrawal();
  const held = await balance(userId);
  arm({ operation: 'payout', fault: 'outage', match: id, count: MANY });
  assert.equal(codeOf(await app.call(`POST /withdrawals/${id}/commit`)), '504 PROVIDER_TIMEOUT');
  const made = await make({ kind: KIND, resourceId: id });
  assert.deepEqual([made.before.status, made.after.status], ['WITHDRAWAL_COMMITTED', 'WITHDRAWAL_FAILED']);
  assert.deepEqual([made.amount, made.after.reserved], ['25.50', '0.00']);
  assert.notEqual(await balance(userId), held);
  await fixture.control('DELETE /faults');
  await refresh(id);
  assert.equal((await get(id)).status, 'WITHDRAWAL_FAILED');
  // An attempt that was in flight may have created a payout. Without a commitment the provider never pays it.
  assert.deepEqual(
    payouts().filter(({ code, status }) => code === id && status !== 'CREATED'),
    [],
  );
  await refuse({ kind: KIND, resourceId: id }, /has failed/);
  await assertSound();
});

test('given up and paid at the same time: the money is either returned or paid, never both', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { arm, aWithdrawal, app, payouts, get, move, untilStatus, assertSound } = fixture;
  const { send } = corrections(app);
  for (let round = 0; round < 3; round++) {
    const { id } = await aWithdrawal();
    arm({ operation: 'payout', fault: 'outage', match: id, count: MANY });
    await app.call(`POST /withdrawals/${id}/commit`);
    await fixture.control('DELETE /faults');
    const [correction] = await Promise.all([
      send({ kind: KIND, resourceId: id }),
      app.call(`POST /withdrawals/${id}/refresh`),
      app.call(`POST /withdrawals/${id}/refresh`),
    ]);
    if (correction.status === 201) {
      assert.equal((await get(id)).status, 'WITHDRAWAL_FAILED');
      assert.ok(payouts().every(({ code, status }) => code !== id || status === 'CREATED'));
    } else {
      assert.equal(codeOf(correction), '409 CORRECTION_REFUSED');
      await until(() => payouts().some(({ code, status }) => code === id && status === 'COMMITTED'), 'it is paid');
      await move(id, 'complete');
      await untilStatus(id, 'WITHDRAWAL_COMPLETED');
    }
  }
  await assertSound();
});

test('409 with the facts while the provider may still pay, 504 while it does not answer, 404 for none', async (t) => {
  const fixture = await openSharedWithdrawals(t, { webhooks: false });
  const { arm, aWithdrawal, commit, app, move, refresh } = fixture;
  const { refuse, send } = corrections(app);
  const { id } = await aWithdrawal();
  await refuse({ kind: KIND, resourceId: id }, /not committed/);
  await commit(id);
  const facts = await refuse({ kind: KIND, resourceId: id }, /may still pay it/);
  assert.deepEqual([facts.status, facts.provider.amount], ['WITHDRAWAL_COMMITTED', '25.50']);
  arm({ operation: 'payout-get', fault: 'outage', count: MANY });
  assert.equal(codeOf(await send({ kind: KIND, resourceId: id })), '504 PROVIDER_TIMEOUT');
  await fixture.control('DELETE /faults');
  await move(id, 'complete');
  await refresh(id);
  await refuse({ kind: KIND, resourceId: id }, /paid what was asked for/);
  assert.equal(codeOf(await send({ kind: KIND, resourceId: 'wdr_none' })), '404 WITHDRAWAL_NOT_FOUND');
});

test('a payout that the provider had is never given up because the provider does not show it', async (t) => {
  const fixture = await openSharedWithdrawals(t, { webhooks: false });
  const { arm, aWithdrawal, commit, app, balance, move, refresh, get, assertSound } = fixture;
  const { refuse } = corrections(app);
  const { id, userId } = await aWithdrawal();
  await commit(id);
  const held = await balance(userId);
  const { providerPayoutId } = await refuse({ kind: KIND, resourceId: id }, /may still pay it/);
  for (const match of [id, providerPayoutId]) arm({ operation: 'payout-get', fault: 'missing', match, count: MANY });
  await refuse({ kind: KIND, resourceId: id }, /does not show it now.*may still pay it/);
  assert.equal(await balance(userId), held);
  await fixture.control('DELETE /faults');
  await move(id, 'complete');
  await refresh(id);
  assert.equal((await get(id)).status, 'WITHDRAWAL_COMPLETED');
  await assertSound();
});

test('an approved correction that would move another amount than the approver saw moves nothing', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { app, balance, expect } = fixture;
  const { send } = corrections(app);
  const { id, userId } = await differing(fixture, 'short');
  const before = await balance(userId);
  await expect('PUT /approval-rules', { status: 200, body: [{ action: 'correction' }] });
  const key = await app.key(['*']);
  const decide = async (): Promise<Any> => {
    const { body } = await send({ kind: KIND, resourceId: id });
    const { approval } = body.data;
    return {
      approval,
      approve: async () => (await app.call(`POST /approvals/${approval.id}/approve`, { key })).body.data,
    };
  };
  const first = await decide();
  assert.equal(first.approval.amount, '12.75');
  // As if the payout had been short by less when the correction was asked for.
  await app.sql('update approvals set amount = amount - 1000000, version = version + 1 where id = $1', [
    first.approval.id,
  ]);
  const failed = await first.approve();
  assert.deepEqual([failed.status, failed.error.code], ['FAILED', 'CORRECTION_REFUSED']);
  assert.match(failed.error.message, /moved 12.65 USD, and would move 12.75 USD now/);
  assert.equal(await balance(userId), before);
  const second = await decide();
  assert.equal((await second.approve()).status, 'APPROVED');
  await expect('PUT /approval-rules', { status: 200, body: [] });
});
