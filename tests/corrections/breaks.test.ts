// The correction close-break: a break that an operator can explain is closed, is booked where it concerns the books, and does not open
// again with the same figures.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../server/src/base/instant.ts';
import { until } from '../../tools/until.ts';
import { openWebhooks } from '../contract/webhook-escrow-fixture.ts';
import { openSharedPayments } from '../payments/payment-fixture.ts';
import { openSharedWithdrawals } from '../payments/withdrawal-fixture.ts';
import { openProcess } from '../payments/withdrawal-process.ts';
import { codeOf } from '../support/app.ts';
import { type Any, corrections } from './correct.ts';

const KIND = 'close-break';

test('an alert about a payout is closed by hand, and does not open again with the same figures', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { app, arm, aWithdrawal, move, untilStatus, expect, balance, assertSound } = fixture;
  const { make, refuse, send } = corrections(app);
  const open = (): Promise<Any[]> => expect('GET /reconciliation/breaks?kind=payout-amount&open=true', { status: 200 });
  const { id, userId } = await aWithdrawal();
  arm({ operation: 'payout-commit', fault: 'wrong-amount', match: id });
  await app.call(`POST /withdrawals/${id}/commit`);
  await move(id, 'complete');
  await untilStatus(id, 'WITHDRAWAL_COMPLETED');
  await until(async () => (await open()).length === 1, 'the alert is shown');
  const [alert] = await open();
  assert.deepEqual([alert.id, alert.userId], [`payout-amount:${id}`, userId]);
  const before = await balance(userId);
  const made = await make({ kind: KIND, resourceId: alert.id });
  assert.deepEqual([made.before.isOpen, made.after.isOpen, made.before.difference], [true, false, '1.0000000']);
  assert.deepEqual([made.amount, await balance(userId)], [null, before]);
  await until(async () => (await open()).length === 0, 'the alert has ended');
  const { refresh } = await openProcess(t, fixture);
  await refresh();
  assert.deepEqual(await open(), []);
  await refuse({ kind: KIND, resourceId: alert.id }, /is closed/);
  await refuse({ kind: KIND, resourceId: 'payout-amount:wdr_none' }, /no such break/);
  await refuse({ kind: KIND, resourceId: 'nothing' }, /no such break/);
  assert.equal(codeOf(await send({ kind: 'settle-payout', resourceId: id })), '409 CORRECTION_REFUSED');
  await assertSound();
});

test('of several corrections at the same time one closes the break', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { app, arm, aWithdrawal, move, untilStatus, expect } = fixture;
  const { id } = await aWithdrawal();
  arm({ operation: 'payout-commit', fault: 'wrong-amount', match: id });
  await app.call(`POST /withdrawals/${id}/commit`);
  await move(id, 'complete');
  await untilStatus(id, 'WITHDRAWAL_COMPLETED');
  const path = 'GET /reconciliation/breaks?kind=payout-amount&open=true';
  await until(async () => (await expect(path, { status: 200 })).length === 1, 'the alert is shown');
  const { send } = corrections(app);
  const answers = await Promise.all([1, 2, 3].map(() => send({ kind: KIND, resourceId: `payout-amount:${id}` })));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
});

test('a payout over less is not closed before its rest is back with the user', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { app, arm, aWithdrawal, move, untilStatus, expect, assertSound } = fixture;
  const { make, refuse } = corrections(app);
  const { id } = await aWithdrawal();
  arm({ operation: 'payout-commit', fault: 'short', match: id });
  await app.call(`POST /withdrawals/${id}/commit`);
  await move(id, 'complete');
  await untilStatus(id, 'WITHDRAWAL_COMPLETED');
  const open = (): Promise<Any[]> => expect('GET /reconciliation/breaks?kind=payout-amount&open=true', { status: 200 });
  await until(async () => (await open()).length === 1, 'the alert is shown');
  const facts = await refuse({ kind: KIND, resourceId: `payout-amount:${id}` }, new RegExp(`settle-payout on ${id}`));
  assert.equal(facts.isOpen, true);
  assert.equal((await make({ kind: 'settle-payout', resourceId: id })).amount, '12.75');
  await until(async () => (await open()).length === 0, 'the alert has ended');
  await assertSound();
});

test('a late top-up that was returned to its payer is closed, and is not credited any more', async (t) => {
  const fixture = await openSharedPayments(t);
  const { app, available } = fixture;
  const { make, refuse } = corrections(app);
  const { id, userId } = await fixture.aTopup();
  await fixture.control(`POST /payins/${id}/cancel`);
  await fixture.control(`POST /payins/${id}/confirm-late`);
  const open = async (): Promise<Any[]> =>
    (await app.call('GET /reconciliation/breaks?kind=late-topup&open=true')).body.data.data;
  await until(async () => (await open()).length === 1, 'the alert is shown');
  await make({ kind: KIND, resourceId: `late-topup:${id}` });
  await until(async () => (await open()).length === 0, 'the alert has ended');
  const next = new RegExp(`close-break has closed .*POST /users/${userId}/balance/credit`);
  await refuse({ kind: 'credit-late-topup', resourceId: id }, next);
  assert.equal(await available(userId), '0.00');
});

test('a forged webhook that was set aside is closed, and is checked no more', async (t) => {
  const fixture = await openWebhooks(t, { ESCROW_WEBHOOK_CHECK: 'verify' });
  const { app, expect, eventRow, get } = fixture;
  const { make } = corrections(app);
  const order = await fixture.anOrder({ at: 'IN_PROGRESS' });
  const retryAfter = (hours: number) =>
    fixture.openEars(() => systemClock() + hours * 3_600_000_000, 'verify').retryKept();
  await fixture.deliver({ type: 'escrow.released', data: { order_id: order.id }, eventId: 'forged' });
  await retryAfter(1);
  assert.equal((await eventRow('forged')).state, 'SET_ASIDE');
  const open = (): Promise<Any[]> => expect('GET /reconciliation/breaks?kind=escrow-event&open=true', { status: 200 });
  const [alert] = await open();
  assert.equal(alert.orderId, order.id);
  const made = await make({ kind: KIND, resourceId: alert.id, reason: 'The key of the sender was stolen.' });
  assert.deepEqual([made.orderId, made.after.isOpen], [order.id, false]);
  const { state, failure } = await eventRow('forged');
  assert.deepEqual([state, failure], ['FAILED', 'Closed: The key of the sender was stolen.']);
  await until(async () => (await open()).length === 0, 'the alert has ended');
  await retryAfter(3);
  assert.deepEqual([await open(), (await get(order.id)).status], [[], 'IN_PROGRESS']);
});
