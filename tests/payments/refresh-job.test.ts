// The job that polls top-ups without webhooks: which are due, how many at once, and the result of a poll.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { HURRIED, openSharedPayments, type PaymentFixture } from './payment-fixture.ts';
import { openProcess } from './payment-process.ts';

/** A run polls the due top-ups of all marketplaces of the shared server. Postpones those of other tests. */
const open = async (
  t: TestContext,
  options: Parameters<typeof openSharedPayments>[1] = {},
): Promise<PaymentFixture> => {
  const fixture = await openSharedPayments(t, options);
  await fixture.app.sql("update public.topups set next_look_at = now() + interval '1 year'");
  return fixture;
};

const makeDue = ({ app }: PaymentFixture) => app.sql("update topups set next_look_at = now() - interval '1 second'");

/** Minutes until the next poll of each, oldest top-up first. */
const waits = async ({ app }: PaymentFixture): Promise<number[]> => {
  const rows = await app.sql('select extract(epoch from next_look_at - now()) / 60 as wait from topups order by id');
  return rows.map(({ wait }) => Math.round(wait));
};

test('a top-up whose webhook never came is credited by a poll, once it is due', async (t) => {
  const fixture = await open(t, { webhooks: false });
  const { aTopup, pay, get, available, assertSettled } = fixture;
  const { run } = await openProcess(t, fixture);
  const { id, userId } = await aTopup();
  await pay(id, 'confirm');
  await run();
  assert.equal((await get(id)).status, 'TOPUP_AWAITING_USER_CONFIRMATION', 'it is not due in its first minute');
  await makeDue(fixture);
  await run();
  assert.equal((await get(id)).status, 'TOPUP_SUCCEEDED');
  assert.equal(await available(userId), '25.50');
  const [entry] = (await fixture.audited(id)).slice(-1);
  assert.deepEqual([entry.action, entry.actor_id], ['TOPUP_SUCCEEDED', 'refresh-topups']);
  await assertSettled();
});

test('a top-up whose first answer was lost is requested again with the same code', async (t) => {
  const fixture = await open(t, { webhooks: false, env: HURRIED });
  const { app, arm, payins, get } = fixture;
  const { run } = await openProcess(t, fixture);
  const ids: string[] = [];
  for (const fault of ['timeout', 'lost-answer']) {
    arm({ operation: 'payin', fault });
    const { status, body } = await app.call('POST /topups', { body: { userId: await app.aUser(), amount: '5' } });
    assert.equal(status, 504);
    ids.push(body.error.details.topupId);
  }
  await makeDue(fixture);
  await run();
  for (const id of ids) assert.equal((await get(id)).status, 'TOPUP_AWAITING_USER_CONFIRMATION');
  const codes = payins().map(({ code }) => code);
  assert.deepEqual(codes.sort(), ids.sort());
});

test('a server that does not listen yet requests no payment: its payer could not return', async (t) => {
  const fixture = await open(t, { webhooks: false, env: HURRIED });
  const { app, arm, payins, get } = fixture;
  const early = await openProcess(t, fixture, { listens: false });
  arm({ operation: 'payin', fault: 'timeout' });
  const { body } = await app.call('POST /topups', { body: { userId: await app.aUser(), amount: '5' } });
  const { topupId } = body.error.details;
  await makeDue(fixture);
  await early.run();
  assert.deepEqual([(await get(topupId)).status, payins()], ['TOPUP_CREATED', []]);
  await makeDue(fixture);
  await (await openProcess(t, fixture)).run();
  assert.equal((await get(topupId)).status, 'TOPUP_AWAITING_USER_CONFIRMATION');
});

test('a lost cancellation is found by the next run, however old the top-up is', async (t) => {
  const fixture = await open(t, { webhooks: false, env: HURRIED });
  const { app, arm, aTopup, get } = fixture;
  const { run } = await openProcess(t, fixture);
  const { id } = await aTopup();
  await app.sql("update topups set created_at = now() - interval '9 days', next_look_at = now() + interval '5 hours'");
  arm({ operation: 'payin-cancel', fault: 'lost-answer' });
  assert.equal((await app.call(`POST /topups/${id}/cancel`)).status, 504);
  await run();
  assert.equal((await get(id)).status, 'TOPUP_CANCELED');
});

test('the interval between polls grows with the age of a top-up, within limits; a finished top-up is not polled', async (t) => {
  const fixture = await open(t, { webhooks: false });
  const { app, aTopup, pay } = fixture;
  const { run, pollTimes } = await openProcess(t, fixture);
  const ages = ['10 seconds', '10 minutes', '10 hours', '10 days'];
  for (const age of ages) {
    const { id } = await aTopup();
    await app.sql(`update topups set created_at = now() - $2::interval where id = $1`, [id, age]);
  }
  await makeDue(fixture);
  await run();
  assert.deepEqual(await waits(fixture), [1, 5, 5 * 60, 6 * 60]);
  const over = await aTopup();
  await pay(over.id, 'cancel');
  await app.call(`POST /topups/${over.id}/refresh`);
  await makeDue(fixture);
  const due = await pollTimes.claimDue(100);
  assert.equal(due.length, ages.length);
  assert.ok(!due.some(({ topup: { id } }) => id === over.id));
});

test('one run polls a limited number, the longest due first, and two processes poll different ones', async (t) => {
  const fixture = await open(t, { webhooks: false });
  const here = await openProcess(t, fixture);
  const there = await openProcess(t, fixture);
  const ids: string[] = [];
  for (let i = 0; i < 6; i++) ids.push((await fixture.aTopup()).id);
  for (const [at, id] of ids.entries()) {
    const text = `update topups set next_look_at = now() - interval '1 hour' + $2 * interval '1 second' where id = $1`;
    await fixture.app.sql(text, [id, at]);
  }
  const idsOf = (due: { topup: { id: string } }[]) => due.map(({ topup }) => topup.id).sort();
  assert.deepEqual(idsOf(await here.pollTimes.claimDue(2)), ids.slice(0, 2));
  const both = await Promise.all([here.pollTimes.claimDue(2), there.pollTimes.claimDue(2)]);
  assert.deepEqual(idsOf(both.flat()), ids.slice(2));
  assert.deepEqual(await here.pollTimes.claimDue(2), []);
});

test('while the provider is unreachable a run stops early and changes no status', async (t) => {
  const fixture = await open(t, { webhooks: false });
  const { arm, sandbox, aTopup, app } = fixture;
  const { run, troubles } = await openProcess(t, fixture);
  const userId = await app.aUser();
  const many = 20;
  for (let i = 0; i < many; i++) await aTopup({ userId });
  await makeDue(fixture);
  const away = arm({ operation: 'payin-get', fault: 'outage', count: 1_000 });
  await run();
  const asked = 1_000 - sandbox.faults.list().find(({ id }) => id === away.id)!.count;
  assert.ok(asked > 0 && asked < many, `${asked} calls`);
  const states = await app.sql('select distinct status from topups');
  assert.deepEqual(states, [{ status: 'TOPUP_AWAITING_USER_CONFIRMATION' }]);
  assert.deepEqual(troubles, []);
});

test('the provider fee is read once after a webhook, because the webhook does not contain it', async (t) => {
  const fixture = await open(t);
  const { app, aTopup, pay, get, audited, assertSettled } = fixture;
  const { run, pollTimes } = await openProcess(t, fixture);
  const { id } = await aTopup();
  await pay(id, 'confirm');
  const paid = await get(id);
  assert.equal(paid.status, 'TOPUP_SUCCEEDED');
  await makeDue(fixture);
  await run();
  assert.equal((await audited(id)).at(-1).action, 'TOPUP_FEE_NOTED');
  assert.deepEqual(await app.sql('select fee from topups'), [{ fee: '0' }]);
  assert.deepEqual(await get(id), paid);
  await makeDue(fixture);
  assert.deepEqual(await pollTimes.claimDue(10), []);
  await assertSettled();
});

test('a record over another amount is reported and does not affect the others', async (t) => {
  const fixture = await open(t, { webhooks: false });
  const { arm, aTopup, pay, get } = fixture;
  const { run, troubles } = await openProcess(t, fixture);
  const odd = await aTopup();
  const good = await aTopup();
  await pay(odd.id, 'confirm');
  await pay(good.id, 'confirm');
  arm({ operation: 'payin-get', fault: 'wrong-amount', match: odd.id });
  await makeDue(fixture);
  await run();
  assert.equal((await get(odd.id)).status, 'TOPUP_AWAITING_USER_CONFIRMATION');
  assert.equal((await get(good.id)).status, 'TOPUP_SUCCEEDED');
  assert.deepEqual(troubles, ['a top-up could not be refreshed; it will be polled again']);
});
