// Many at once about one withdrawal: webhooks, refreshes, commits, jobs, in one process and in two. It is paid once, its money
// leaves the reserved balance once or goes back once, whoever is first.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../committer/bend.ts';
import { startApp } from '../support/app.ts';
import { openProcess } from './withdrawal-process.ts';
import { openWithdrawals, type WithdrawalStand } from './withdrawal-stand.ts';

const COPIES = 100;

const postingsOf = async ({ app }: WithdrawalStand, id: string, move: string): Promise<number> =>
  (await app.sql('select 1 from postings where reference = $1 and move = $2 and amount < 0', [id, move])).length;

const countsOf = (answers: readonly { text: string }[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { text } of answers) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
};

const statusesOf = (answers: readonly { status: number }[]): Record<string, number> =>
  countsOf(answers.map(({ status }) => ({ text: String(status) })));

const many = <T>(count: number, ask: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: count }, ask));

test('a hundred copies of one completion beside refreshes and commits: one consumption', async (t) => {
  const stand = await openWithdrawals(t, { webhooks: false });
  const { app, withdrawal, commit, move, deliver, balance, told, assertSound } = stand;
  const made = await withdrawal();
  const { id, userId } = made;
  const { providerPayoutId } = await commit(id);
  await move(id, 'complete');
  const event = { type: 'payout.completed', data: { id: providerPayoutId, code: id, amount: 25.5 }, eventId: 'one' };
  const [copies, refreshed, committed] = await Promise.all([
    many(COPIES, () => deliver(event)),
    many(20, () => app.call(`POST /withdrawals/${id}/refresh`)),
    many(20, () => app.call(`POST /withdrawals/${id}/commit`)),
  ]);
  assert.deepEqual(countsOf(copies), {
    '{"status":"ok","processed":true}': 1,
    '{"status":"ok","duplicate":true}': COPIES - 1,
  });
  assert.deepEqual([statusesOf(refreshed), statusesOf(committed)], [{ 200: 20 }, { 409: 20 }]);
  assert.equal(await postingsOf(stand, id, 'payout'), 1);
  assert.equal(await balance(userId), '74.50 + 0.00');
  const types = (await told(made)).map(([type]) => type);
  assert.deepEqual(types.slice(3), ['withdrawal.committed', 'withdrawal.completed']);
  await assertSound();
});

test('completions and failures told at once: whichever is first stands, and the money moves once', async (t) => {
  const stand = await openWithdrawals(t, { webhooks: false });
  const { withdrawal, commit, deliver, get, balance, expect } = stand;
  for (let round = 0; round < 4; round++) {
    const { id, userId } = await withdrawal();
    const { providerPayoutId } = await commit(id);
    const data = { id: providerPayoutId, code: id, amount: 25.5 };
    const types = ['payout.completed', 'payout.failed', 'payout.canceled'];
    const order = round % 2 === 0 ? types : types.toReversed();
    await Promise.all(order.flatMap((type) => Array.from({ length: 10 }, () => deliver({ type, data }))));
    const { status } = await get(id);
    const [out, back] = [await postingsOf(stand, id, 'payout'), await postingsOf(stand, id, 'withdrawal_return')];
    const isPaid = status === 'WITHDRAWAL_COMPLETED';
    assert.deepEqual([out, back], isPaid ? [1, 0] : [0, 1]);
    assert.equal(await balance(userId), isPaid ? '74.50 + 0.00' : '100.00 + 0.00');
  }
  assert.equal((await expect('GET /audit/proof', { status: 200 })).holds, true);
});

test('many commits of one at once, on two servers: one is taken, and it is paid once', async (t) => {
  const stand = await openWithdrawals(t);
  const { app, withdrawal, payouts, move, balance, assertSound } = stand;
  const other = await startApp(t, { env: stand.env, connection: app.connection });
  const key = await app.key(['*']);
  const { id, userId } = await withdrawal();
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

test('many commits of one to the ledger at once, and two servers that carry it on: it arrives once', async (t) => {
  const stand = await openWithdrawals(t, { ledger: true });
  const { app, person, withdrawal, stranger, dollarsAt, fillTreasury, balance, untilStatus, assertSound } = stand;
  const other = await startApp(t, { env: stand.env, connection: app.connection });
  const key = await app.key(['*']);
  const userId = await person();
  await fillTreasury();
  const address = await stranger();
  const { id } = await withdrawal({ userId, body: { destination: { type: 'crypto', address } } });
  const asks = [app, other].flatMap((server) => [
    ...Array.from({ length: 5 }, () => server.call(`POST /withdrawals/${id}/commit`, { key })),
    ...Array.from({ length: 5 }, () => server.call(`POST /withdrawals/${id}/refresh`, { key })),
  ]);
  const answers = await Promise.all(asks);
  assert.ok(answers.every(({ status }) => [200, 409, 504].includes(status)));
  await untilStatus(id, 'WITHDRAWAL_COMPLETED');
  assert.equal(await dollarsAt(address), '25.5000000');
  assert.equal(await balance(userId), '74.50 + 0.00');
  assert.equal(await postingsOf(stand, id, 'withdrawal_paid'), 1);
  await assertSound();
});

test('withdrawals of one user at once take no more than there is (defect 17)', async (t) => {
  const stand = await openWithdrawals(t);
  const { app, person, balance, payouts, assertSound } = stand;
  const userId = await person();
  const body = { userId, amount: '15.00', currency: 'USD', destination: { type: 'bank' }, commit: true };
  const answers = await many(20, () => app.call('POST /withdrawals', { body }));
  assert.deepEqual(statusesOf(answers), { 201: 6, 422: 14 });
  assert.equal(await balance(userId), '10.00 + 90.00');
  await until(() => payouts().filter(({ status }) => status === 'COMMITTED').length === 6, 'all are paid out');
  assert.equal(payouts().length, 6);
  await assertSound();
});

test('withdrawals to the ledger beside each other are each covered and each arrive', async (t) => {
  const stand = await openWithdrawals(t, { ledger: true });
  const { person, withdrawal, stranger, dollarsAt, fillTreasury, untilStatus, balance, assertSound } = stand;
  const userId = await person();
  await fillTreasury();
  const address = await stranger();
  const body = { amount: '10.00', commit: true, destination: { type: 'crypto', address } };
  const made = await many(5, () => withdrawal({ userId, body }));
  for (const { id } of made) await untilStatus(id, 'WITHDRAWAL_COMPLETED');
  assert.equal(await dollarsAt(address), '50.0000000');
  assert.equal(await balance(userId), '50.00 + 0.00');
  await assertSound();
});

test('committing and expiring at once ends in one of the two, and the provider hears of it only in one', async (t) => {
  const stand = await openWithdrawals(t);
  const { app, withdrawal, get, balance, payoutOf, assertSound } = stand;
  const { expire } = await openProcess(t, stand);
  for (let round = 0; round < 6; round++) {
    const { id, userId } = await withdrawal();
    await app.sql("update withdrawals set created_at = now() - interval '25 hours' where id = $1", [id]);
    const commit = () => app.call(`POST /withdrawals/${id}/commit`);
    const [committed] = await Promise.all(round % 2 === 0 ? [commit(), expire()] : [expire().then(commit), null]);
    const { status } = await get(id);
    const isPaid = committed!.status === 200;
    assert.equal(status, isPaid ? 'WITHDRAWAL_COMMITTED' : 'WITHDRAWAL_CANCELED');
    assert.equal(payoutOf(id)?.status, isPaid ? 'COMMITTED' : undefined);
    assert.equal(await balance(userId), isPaid ? '74.50 + 25.50' : '100.00 + 0.00');
  }
  await assertSound();
});
