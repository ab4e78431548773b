// Webhooks, refreshes, commits and jobs for one withdrawal at once, in one process and in two. The reserved money is paid once or
// given back once, whichever is first.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { startApp } from '../support/app.ts';
import { openSharedWithdrawals, openWithdrawals } from './withdrawal-fixture.ts';
import {
  assertArrivesOnce,
  assertCommittedOrExpired,
  assertFirstEventCounts,
  many,
  paidByCopies,
  statusesOf,
} from './withdrawal-race-checks.ts';

test('many copies of one completion during refreshes and commits pay once', async (t) => {
  assert.equal(await paidByCopies(t, 25), 1);
});

test('completions, failures and cancellations at once: the first event counts, and the money moves once', async (t) => {
  await assertFirstEventCounts(t, { rounds: 2, copies: 4 });
});

test('many commits of one withdrawal at once on two servers: one is accepted, and it is paid once', async (t) => {
  const fixture = await openWithdrawals(t);
  const { app, aWithdrawal, payouts, move, balance, assertSound } = fixture;
  const other = await startApp(t, { env: fixture.env, connection: app.connection });
  const key = await app.key(['*']);
  const { id, userId } = await aWithdrawal();
  const answers = await Promise.all(
    [app, other].flatMap((server) =>
      Array.from({ length: 10 }, () => server.call(`POST /withdrawals/${id}/commit`, { key })),
    ),
  );
  assert.deepEqual(statusesOf(answers), { 200: 1, 409: 19 });
  assert.deepEqual(
    payouts().map(({ code, status }) => [code, status]),
    [[id, 'COMMITTED']],
  );
  await move(id, 'complete');
  assert.equal(await balance(userId), '74.50 + 0.00');
  await assertSound();
});

test('many commits and refreshes of one ledger withdrawal at once: it arrives once', async (t) => {
  await assertArrivesOnce(await openSharedWithdrawals(t, { ledger: true }));
});

test('withdrawals of one user at once take no more than the balance (defect 17)', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { app, aPayee, balance, payouts, assertSound } = fixture;
  const userId = await aPayee();
  const body = { userId, amount: '15.00', currency: 'USD', destination: { type: 'bank' }, commit: true };
  const answers = await many(12, () => app.call('POST /withdrawals', { body }));
  assert.deepEqual(statusesOf(answers), { 201: 6, 422: 6 });
  assert.equal(await balance(userId), '10.00 + 90.00');
  await until(() => payouts().filter(({ status }) => status === 'COMMITTED').length === 6, 'all are paid out');
  assert.equal(payouts().length, 6);
  await assertSound();
});

test('concurrent withdrawals to the ledger are each funded and each arrive', async (t) => {
  const fixture = await openSharedWithdrawals(t, { ledger: true });
  const { aPayee, aWithdrawal, outsideAddress, dollarsAt, fillTreasury, untilStatus, balance, assertSound } = fixture;
  const userId = await aPayee();
  await fillTreasury();
  const address = await outsideAddress();
  const body = { amount: '10.00', commit: true, destination: { type: 'crypto', address } };
  const made = await many(3, () => aWithdrawal({ userId, body }));
  for (const { id } of made) await untilStatus(id, 'WITHDRAWAL_COMPLETED');
  assert.equal(await dollarsAt(address), '30.0000000');
  assert.equal(await balance(userId), '70.00 + 0.00');
  await assertSound();
});

test('committing and expiring at once ends in one of the two, and the provider gets a payout only when the commit wins', async (t) => {
  await assertCommittedOrExpired(t, 2);
});
