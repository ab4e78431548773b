// The jobs that poll and expire withdrawals: intervals, limits of one run, two processes, a provider that is away, and the expiry time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { openWithdrawals, type WithdrawalFixture } from './withdrawal-fixture.ts';
import { openProcess } from './withdrawal-process.ts';

const LONG_AGO = "now() - interval '2 minutes'";

const makeDue = ({ app }: WithdrawalFixture) =>
  app.sql(`update withdrawals set next_look_at = ${LONG_AGO}, updated_at = ${LONG_AGO}`);

const age = ({ app }: WithdrawalFixture, hours: number, id?: string) =>
  app.sql(`update withdrawals set created_at = now() - $1 * interval '1 hour' where id = coalesce($2, id)`, [
    hours,
    id ?? null,
  ]);

test('the interval between polls grows with the age of a withdrawal, within limits; a finished one is not polled', async (t) => {
  const fixture = await openWithdrawals(t, { webhooks: false });
  const { app, aPayee, aWithdrawal, commit, move, refresh: refreshOne } = fixture;
  const { refresh, pollTimes } = await openProcess(t, fixture);
  const userId = await aPayee();
  const ages = ['10 seconds', '10 minutes', '10 hours', '10 days'];
  for (const each of ages) {
    const { id } = await aWithdrawal({ userId, body: { amount: '1' } });
    await commit(id);
    await app.sql('update withdrawals set committed_at = now() - $2::interval where id = $1', [id, each]);
  }
  const over = await aWithdrawal({ userId, body: { amount: '1' } });
  await commit(over.id);
  await move(over.id, 'cancel');
  await refreshOne(over.id);
  await aWithdrawal({ userId, body: { amount: '1' } });
  // The jobs of the server would poll them too.
  await app.close();
  await makeDue(fixture);
  await refresh();
  const rows = await app.sql(
    `select round(extract(epoch from next_look_at - now()) / 60)::int as wait from withdrawals
     where status = 'WITHDRAWAL_COMMITTED' order by id`,
  );
  assert.deepEqual(
    rows.map(({ wait }) => wait),
    [1, 5, 5 * 60, 6 * 60],
  );
  await makeDue(fixture);
  assert.equal((await pollTimes.claimDue(100)).length, ages.length);
});

test('one run polls a limited number, the longest due first, and two processes poll different ones', async (t) => {
  const fixture = await openWithdrawals(t, { webhooks: false });
  const here = await openProcess(t, fixture);
  const there = await openProcess(t, fixture);
  const userId = await fixture.aPayee();
  const ids: string[] = [];
  for (let i = 0; i < 6; i++) ids.push((await fixture.aWithdrawal({ userId, body: { amount: '1' } })).id);
  for (const id of ids) await fixture.commit(id);
  await fixture.app.close();
  await makeDue(fixture);
  for (const [at, id] of ids.entries()) {
    const text = `update withdrawals set next_look_at = now() - interval '1 hour' + $2 * interval '1 second' where id = $1`;
    await fixture.app.sql(text, [id, at]);
  }
  const idsOf = (due: { withdrawal: { id: string } }[]) => due.map(({ withdrawal }) => withdrawal.id).sort();
  assert.deepEqual(idsOf(await here.pollTimes.claimDue(2)), ids.slice(0, 2));
  const both = await Promise.all([here.pollTimes.claimDue(2), there.pollTimes.claimDue(2)]);
  assert.deepEqual(idsOf(both.flat()), ids.slice(2));
  assert.deepEqual(await here.pollTimes.claimDue(2), []);
});

test('while the provider is unreachable a run stops early and changes no status', async (t) => {
  const fixture = await openWithdrawals(t, { webhooks: false });
  const { arm, sandbox, app, aPayee, aWithdrawal, payouts } = fixture;
  const { refresh, troubles } = await openProcess(t, fixture);
  const userId = await aPayee();
  const many = 20;
  for (let i = 0; i < many; i++) await aWithdrawal({ userId, body: { amount: '1', commit: true } });
  await until(() => payouts().filter(({ status }) => status === 'COMMITTED').length === many, 'all are committed');
  await app.close();
  await makeDue(fixture);
  const away = arm({ operation: 'payout-get', fault: 'outage', count: 1_000 });
  await refresh();
  const asked = 1_000 - sandbox.faults.list().find(({ id }) => id === away.id)!.count;
  assert.ok(asked > 0 && asked < many, `${asked} calls`);
  assert.deepEqual(await app.sql('select distinct status from withdrawals'), [{ status: 'WITHDRAWAL_COMMITTED' }]);
  assert.deepEqual(troubles, []);
});

test('the expiry time is a setting, one run cancels many, and a committed withdrawal never expires', async (t) => {
  const fixture = await openWithdrawals(t, { env: { WITHDRAWAL_EXPIRY_H: '2' } });
  const { app, aPayee, aWithdrawal, commit, balance, assertSound } = fixture;
  const userId = await aPayee({ available: '1000.00' });
  const kept = await aWithdrawal({ userId, body: { amount: '1' } });
  await commit(kept.id);
  for (let i = 0; i < 4; i++) await aWithdrawal({ userId, body: { amount: '1' } });
  await age(fixture, 3);
  const { expire, troubles } = await openProcess(t, fixture);
  await expire();
  const rows = await app.sql('select status, count(*)::int as count from withdrawals group by 1 order by 1');
  assert.deepEqual(rows, [
    { status: 'WITHDRAWAL_CANCELED', count: 4 },
    { status: 'WITHDRAWAL_COMMITTED', count: 1 },
  ]);
  assert.equal(await balance(userId), '999.00 + 1.00');
  assert.deepEqual(troubles, []);
  await assertSound();
});
