// A database that is older than the payment provider, as after the restore of a backup: payouts that it has forgotten are found in the
// provider's list, and nothing is paid a second time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { codeOf, type TestApp } from '../support/app.ts';
import { openBackup, readHold, releasePayments } from '../support/backup-fixture.ts';
import { builderOf } from '../support/builder.ts';
import { openWithdrawals } from './withdrawal-fixture.ts';
import { openProcess } from './withdrawal-process.ts';

const NO_LIST = { operation: 'payout-get', fault: 'refusal', count: 1_000_000 } as const;

const commitOn = (app: TestApp, id: string) => app.call(`POST /withdrawals/${id}/commit`);

const statusOn = async (app: TestApp, id: string): Promise<string> =>
  (await builderOf(app).expect(`GET /withdrawals/${id}`, { status: 200 })).status;

const untilStatusOn = (app: TestApp, id: string, status: string): Promise<void> =>
  until(async () => (await statusOn(app, id)) === status, `the withdrawal is ${status}`);

/** A user with one withdrawal that is not committed when the backup is taken. */
const open = async (t: Parameters<typeof openWithdrawals>[0]) => {
  const fixture = await openWithdrawals(t);
  const userId = await fixture.aPayee();
  const kept = await fixture.aWithdrawal({ userId });
  const backup = await openBackup(t, fixture);
  /** Commits on the server that is lost later, and lets the provider pay. */
  const payLater = async (id: string): Promise<void> => {
    assert.equal(codeOf(await commitOn(backup.later, id)), '200 undefined');
    await fixture.move(id, 'complete');
    await untilStatusOn(backup.later, id, 'WITHDRAWAL_COMPLETED');
  };
  const paid = () => fixture.payouts().map(({ code, status, amount }) => `${code} ${status} ${amount}`);
  return { ...fixture, ...backup, userId, keptId: kept.id as string, payLater, paid };
};

test('after a restore a payout is found again, or is a break until the release, and nothing is paid before it', async (t) => {
  const { later, restore, userId, keptId, payLater, paid, payoutOf, move } = await open(t);
  await payLater(keptId);
  const lost = await builderOf(later).aWithdrawal({ userId, body: { amount: '7.00' } });
  await payLater(lost.id);
  const before = paid();
  assert.deepEqual(before, [`${keptId} COMPLETED 25.5`, `${lost.id} COMPLETED 7`]);

  const app = await restore({ knows: true });
  await until(async () => (await readHold(app)).payoutsCompared, 'the payouts were compared');
  const hold = await readHold(app);
  assert.deepEqual([hold.held, hold.lostPayouts, hold.ledgerCompared], [true, 1, true]);
  assert.equal(await statusOn(app, keptId), 'WITHDRAWAL_COMPLETED');
  const breaks = () => builderOf(app).expect('GET /reconciliation/breaks?kind=lost-payout', { status: 200 });
  const [shown] = await breaks();
  const { subject, actual, isOpen, reason } = shown;
  assert.deepEqual([subject, actual, isOpen], [payoutOf(lost.id)!.id, '7.0000000', true]);
  const { email } = await builderOf(app).expect(`GET /users/${userId}`, { status: 200 });
  for (const part of [lost.id, '7.00 USD', email]) assert.ok(reason.includes(part), reason);

  // The balance has the lost money again, and the user asks for it again: an operator comes first.
  const again = await builderOf(app).aWithdrawal({ userId, body: { amount: '7.00' } });
  assert.equal(codeOf(await commitOn(app, again.id)), '504 PROVIDER_TIMEOUT');
  assert.deepEqual(paid(), before);
  const unaccepted = await releasePayments(app, { anyway: true });
  assert.equal(codeOf(unaccepted), '409 INVALID_STATE');
  assert.equal(unaccepted.body.error.details.currentState, 'LOST_PAYOUTS');
  assert.equal((await releasePayments(app, { acceptLostPayouts: true })).body.data.lostPayouts, 0);
  assert.equal((await breaks())[0].isOpen, false);
  await until(() => payoutOf(again.id)?.status === 'COMMITTED', 'payments go on');
  await move(again.id, 'complete');
  await untilStatusOn(app, again.id, 'WITHDRAWAL_COMPLETED');
  assert.deepEqual(paid(), [...before, `${again.id} COMPLETED 7`]);
});

test('without a hold a withdrawal that the books still have is found at the provider by its code, and not paid again', async (t) => {
  const { restore, keptId, payLater, paid } = await open(t);
  await payLater(keptId);
  const app = await restore();
  assert.equal(codeOf(await commitOn(app, keptId)), '200 undefined');
  await untilStatusOn(app, keptId, 'WITHDRAWAL_COMPLETED');
  assert.deepEqual(paid(), [`${keptId} COMPLETED 25.5`]);
});

test('until the list of the provider was read no payout is made, nothing expires, and a release needs "anyway"', async (t) => {
  const { app: first, env, arm, sandbox, restore, userId, keptId, payLater, paid } = await open(t);
  await payLater(keptId);
  arm(NO_LIST);
  const app = await restore({ knows: true });
  assert.notEqual(app.connection.database, first.connection.database);
  await app.sql(`update withdrawals set created_at = now() - interval '2 days'`);
  const { expire } = await openProcess(t, { app, env });
  const refused = await releasePayments(app);
  assert.equal(codeOf(refused), '409 INVALID_STATE');
  assert.match(refused.body.error.message, /payouts of the payment provider.*Try again/);
  await expire();
  const next = await builderOf(app).aWithdrawal({ userId, body: { amount: '7.00' } });
  const released = await releasePayments(app, { anyway: true });
  assert.deepEqual([released.body.data.held, released.body.data.payoutsCompared], [false, false]);
  await expire();
  assert.equal(await statusOn(app, keptId), 'WITHDRAWAL_CREATED');
  assert.equal(codeOf(await commitOn(app, next.id)), '504 PROVIDER_TIMEOUT');
  assert.equal(paid().length, 1);

  sandbox.faults.clear();
  await until(async () => (await releasePayments(app)).body.data.payoutsCompared, 'the list was read');
  await untilStatusOn(app, keptId, 'WITHDRAWAL_COMPLETED');
  await until(() => paid().length === 2, 'payouts go on');
});
