// The jobs of withdrawals: which are polled, how many at once, the result of a poll, and the expiry of uncommitted
// withdrawals.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commitWithdrawal } from '../../server/src/modules/withdrawals/commit-withdrawal.ts';
import { openSharedWithdrawals, type WithdrawalFixture } from './withdrawal-fixture.ts';
import { openProcess } from './withdrawal-process.ts';

const LONG_AGO = "now() - interval '2 minutes'";

const makeDue = ({ app }: WithdrawalFixture) =>
  app.sql(`update withdrawals set next_look_at = ${LONG_AGO}, updated_at = ${LONG_AGO}`);

/** A run polls the due withdrawals of all marketplaces of the shared server. Postpones those of other tests. */
const parkOthers = ({ app }: WithdrawalFixture) =>
  app.sql(`update public.withdrawals set next_look_at = now() + interval '1 year'`);

const age = ({ app }: WithdrawalFixture, hours: number, id?: string) =>
  app.sql(`update withdrawals set created_at = now() - $1 * interval '1 hour' where id = coalesce($2, id)`, [
    hours,
    id ?? null,
  ]);

test('a withdrawal without a webhook is completed by a poll, once it is due (defect 19)', async (t) => {
  const fixture = await openSharedWithdrawals(t, { webhooks: false });
  const { aWithdrawal, commit, move, get, balance, audited, assertSound } = fixture;
  const { refresh } = await openProcess(t, fixture);
  await parkOthers(fixture);
  const { id, userId } = await aWithdrawal();
  await commit(id);
  await move(id, 'complete');
  await refresh();
  assert.equal((await get(id)).status, 'WITHDRAWAL_COMMITTED', 'it is not due in its first minute');
  await makeDue(fixture);
  await refresh();
  assert.equal((await get(id)).status, 'WITHDRAWAL_COMPLETED');
  assert.equal(await balance(userId), '74.50 + 0.00');
  const entry = (await audited(id)).at(-1);
  assert.deepEqual([entry.action, entry.actor_id], ['WITHDRAWAL_COMPLETED', 'refresh-withdrawals']);
  await assertSound();
});

test('a committed withdrawal that was never sent is paid by a poll, through the provider or the ledger', async (t) => {
  const fixture = await openSharedWithdrawals(t, { ledger: true, webhooks: false });
  const { app, aPayee, aWithdrawal, outsideAddress, fillTreasury, payoutOf, get, dollarsAt, assertSound } = fixture;
  const userId = await aPayee();
  await fillTreasury();
  const address = await outsideAddress();
  const bank = await aWithdrawal({ userId });
  const crypto = await aWithdrawal({ userId, body: { destination: { type: 'crypto', address } } });
  const { refresh, submit } = await openProcess(t, fixture);
  await parkOthers(fixture);
  // The state after a process was killed right after the claim.
  const context = { marketplaceId: app.marketplaceId, actor: { type: 'system', id: 'test' }, requestId: 'r' } as const;
  for (const { id: withdrawalId } of [bank, crypto]) {
    await submit({ command: commitWithdrawal, input: { withdrawalId }, context });
  }
  await makeDue(fixture);
  await refresh();
  assert.deepEqual([(await get(bank.id)).status, payoutOf(bank.id)!.status], ['WITHDRAWAL_COMMITTED', 'COMMITTED']);
  assert.equal((await get(crypto.id)).status, 'WITHDRAWAL_COMPLETED');
  assert.equal(await dollarsAt(address), '25.5000000');
  await assertSound();
});

test('a withdrawal that was not committed within a day is cancelled and its money given back; a younger one stays', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { aWithdrawal, get, balance, eventsOf, audited, payouts, assertSound } = fixture;
  const old = await aWithdrawal();
  const young = await aWithdrawal();
  await age(fixture, 24, old.id);
  await age(fixture, 23, young.id);
  const { expire } = await openProcess(t, fixture);
  await expire();
  const gone = await get(old.id);
  assert.deepEqual(
    [gone.status, gone.canceledBy, gone.failureReason],
    ['WITHDRAWAL_CANCELED', 'system', 'It was not committed in time.'],
  );
  assert.equal(await balance(old.userId), '100.00 + 0.00');
  assert.equal((await get(young.id)).status, 'WITHDRAWAL_CREATED');
  assert.equal(await balance(young.userId), '74.50 + 25.50');
  const { id: withdrawalId, userId } = old;
  assert.deepEqual((await eventsOf(old)).at(-1), [
    'withdrawal.canceled',
    {
      withdrawalId,
      userId,
      amount: '25.50',
      canceledBy: 'system',
      reason: 'It was not committed in time.',
      refundedToBalance: true,
      newAvailableBalance: '100.00',
    },
  ]);
  assert.equal((await audited(old.id)).at(-1).actor_id, 'expire-withdrawals');
  await expire();
  assert.deepEqual(await get(old.id), gone);
  assert.deepEqual(payouts(), []);
  await assertSound();
});

test('money that a client reserved under the id of a withdrawal can be released after the withdrawal has ended', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { app, aWithdrawal, commit, move, balance, assertSound } = fixture;
  const { id, userId } = await aWithdrawal();
  await commit(id);
  await app.call(`POST /users/${userId}/balance/reserve`, { body: { amount: '10.00', orderId: id } });
  await move(id, 'complete');
  assert.equal(await balance(userId), '64.50 + 10.00');
  const released = await app.call(`POST /users/${userId}/balance/release`, { body: { amount: '10.00', orderId: id } });
  assert.equal(released.status, 200);
  assert.equal(await balance(userId), '74.50 + 0.00');
  await assertSound();
});
