// Many concurrent requests for one withdrawal. withdrawal-races.test.ts checks with a few, withdrawal-races.long.test.ts with
// many and partly on two servers.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { TestApp } from '../support/app.ts';
import { openSharedWithdrawals, type WithdrawalFixture } from './withdrawal-fixture.ts';
import { openProcess } from './withdrawal-process.ts';

const postingsOf = async ({ app }: WithdrawalFixture, id: string, move: string): Promise<number> =>
  (await app.sql('select 1 from postings where reference = $1 and move = $2 and amount < 0', [id, move])).length;

const countsOf = (answers: readonly { text: string }[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { text } of answers) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
};

export const statusesOf = (answers: readonly { status: number }[]): Record<string, number> =>
  countsOf(answers.map(({ status }) => ({ text: String(status) })));

export const many = <T>(count: number, ask: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, ask));

/** Sends copies of one completion, and a fifth as many refreshes and commits. Returns how often the money is paid. */
export const paidByCopies = async (t: TestContext, copies: number): Promise<number> => {
  const fixture = await openSharedWithdrawals(t, { webhooks: false });
  const { app, aWithdrawal, commit, move, deliver, balance, eventsOf, assertSound } = fixture;
  const made = await aWithdrawal();
  const { id, userId } = made;
  const { providerPayoutId } = await commit(id);
  await move(id, 'complete');
  const event = { type: 'payout.completed', data: { id: providerPayoutId, code: id, amount: 25.5 }, eventId: 'one' };
  const others = copies / 5;
  const [delivered, refreshed, committed] = await Promise.all([
    many(copies, () => deliver(event)),
    many(others, () => app.call(`POST /withdrawals/${id}/refresh`)),
    many(others, () => app.call(`POST /withdrawals/${id}/commit`)),
  ]);
  assert.deepEqual(countsOf(delivered), {
    '{"status":"ok","processed":true}': 1,
    '{"status":"ok","duplicate":true}': copies - 1,
  });
  assert.deepEqual([statusesOf(refreshed), statusesOf(committed)], [{ 200: others }, { 409: others }]);
  assert.equal(await balance(userId), '74.50 + 0.00');
  const types = (await eventsOf(made)).map(([type]) => type);
  assert.deepEqual(types.slice(3), ['withdrawal.committed', 'withdrawal.completed']);
  await assertSound();
  return postingsOf(fixture, id, 'payout');
};

export const assertFirstEventCounts = async (
  t: TestContext,
  { rounds, copies }: { rounds: number; copies: number },
): Promise<void> => {
  const fixture = await openSharedWithdrawals(t, { webhooks: false });
  const { aWithdrawal, commit, deliver, get, balance, expect } = fixture;
  for (let round = 0; round < rounds; round++) {
    const { id, userId } = await aWithdrawal();
    const { providerPayoutId } = await commit(id);
    const data = { id: providerPayoutId, code: id, amount: 25.5 };
    const types = ['payout.completed', 'payout.failed', 'payout.canceled'];
    const order = round % 2 === 0 ? types : types.toReversed();
    await Promise.all(order.flatMap((type) => Array.from({ length: copies }, () => deliver({ type, data }))));
    const { status } = await get(id);
    const out = await postingsOf(fixture, id, 'payout');
    const back = await postingsOf(fixture, id, 'withdrawal_return');
    const isPaid = status === 'WITHDRAWAL_COMPLETED';
    assert.deepEqual([out, back], isPaid ? [1, 0] : [0, 1]);
    assert.equal(await balance(userId), isPaid ? '74.50 + 0.00' : '100.00 + 0.00');
  }
  assert.equal((await expect('GET /audit/proof', { status: 200 })).holds, true);
};

/** Commits and refreshes one ledger withdrawal at once, through all servers. */
export const assertArrivesOnce = async (fixture: WithdrawalFixture, others: readonly TestApp[] = []): Promise<void> => {
  const { app, aPayee, aWithdrawal, outsideAddress, dollarsAt, fillTreasury, balance, untilStatus, assertSound } =
    fixture;
  const key = await app.key(['*']);
  const userId = await aPayee();
  await fillTreasury();
  const address = await outsideAddress();
  const { id } = await aWithdrawal({ userId, body: { destination: { type: 'crypto', address } } });
  const asks = [app, ...others].flatMap((server) => [
    ...Array.from({ length: 5 }, () => server.call(`POST /withdrawals/${id}/commit`, { key })),
    ...Array.from({ length: 5 }, () => server.call(`POST /withdrawals/${id}/refresh`, { key })),
  ]);
  const answers = await Promise.all(asks);
  assert.ok(answers.every(({ status }) => [200, 409, 504].includes(status)));
  await untilStatus(id, 'WITHDRAWAL_COMPLETED');
  assert.equal(await dollarsAt(address), '25.5000000');
  assert.equal(await balance(userId), '74.50 + 0.00');
  assert.equal(await postingsOf(fixture, id, 'withdrawal_paid'), 1);
  await assertSound();
};

export const assertCommittedOrExpired = async (t: TestContext, rounds: number): Promise<void> => {
  const fixture = await openSharedWithdrawals(t);
  const { app, aWithdrawal, get, balance, payoutOf, assertSound } = fixture;
  const { expire } = await openProcess(t, fixture);
  for (let round = 0; round < rounds; round++) {
    const { id, userId } = await aWithdrawal();
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
};
