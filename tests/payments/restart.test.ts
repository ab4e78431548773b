// A server that goes away in the middle of a top-up, by itself or killed: the next one finds it in its row and at the
// provider, and carries it on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSandbox } from '../../sandbox/src/sandbox.ts';
import { until } from '../committer/bend.ts';
import { newKey, newUser, openEmbedded, post, startServer } from '../crash/server-process.ts';
import { afterwards } from '../support/afterwards.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openPayments, SECRET } from './payment-stand.ts';

const A_MINUTE_LATER = "update topups set next_look_at = now() - interval '1 second'";

for (const fault of ['timeout', 'lost-answer']) {
  test(`a top-up that was only written down when the server stopped is carried on by the next one (${fault})`, async (t) => {
    const stand = await openPayments(t, { env: { PROVIDER_TIMEOUT_MS: '1000' }, webhooks: false });
    const { app, arm, sandbox, pay, restart, assertSettled } = stand;
    arm({ operation: 'payin', fault });
    const lost = await app.call('POST /topups', { body: { userId: await app.user(), amount: '25.50' } });
    const id = lost.body.error.details.topupId;
    await app.sql(A_MINUTE_LATER);
    const key = await app.key(['*']);
    const next = await restart();
    const get = async () => (await next.call(`GET /topups/${id}`, { key })).body.data;
    await until(async () => (await get()).status === 'TOPUP_AWAITING_USER_CONFIRMATION', 'it is carried on');
    assert.equal((sandbox.describe().payins as unknown[]).length, 1);
    await pay(id, 'confirm');
    assert.equal((await get()).status, 'TOPUP_SUCCEEDED');
    await assertSettled(next);
  });
}

test('a top-up that is paid while no server is there is credited by the next one', async (t) => {
  const stand = await openPayments(t);
  const { app, topup, pay, restart, assertSettled } = stand;
  const { id, userId } = await topup();
  const key = await app.key(['*']);
  await app.sql(A_MINUTE_LATER);
  await app.close();
  await pay(id, 'confirm');
  const next = await restart();
  const available = async () => (await next.call(`GET /users/${userId}/balance`, { key })).body.data.available;
  await until(async () => (await available()) === '25.50', 'it is credited');
  await stand.control('POST /clock/advance', { seconds: 10 });
  assert.equal(await available(), '25.50', 'the webhook that comes after all changes nothing');
  await assertSettled(next);
});

test('kill -9 at every step of a top-up: each is carried on where it was, and paid once', async (t) => {
  const dataDir = await temporaryFolder(t);
  const sandbox = await startSandbox({ port: 0 });
  afterwards(t, () => sandbox.close());
  const env = {
    PAYMENT_PROVIDER_URL: sandbox.urls.payment,
    PAYMENT_PROVIDER_RATE_PER_SECOND: '0',
    PAYMENT_WEBHOOK_SECRET: SECRET,
    PROVIDER_TIMEOUT_MS: '600000',
  };
  const first = await startServer(t, { dataDir, env });
  const key = await newKey(first.url);
  const userId = await newUser(first.url, { key, externalUserId: 'u1' });
  const pool = openEmbedded(t, dataDir);
  const create = () => post(first.url, { path: '/topups', key, body: { userId, amount: '1.00' } });
  const payins = () => sandbox.describe().payins as { id: string; code: string; status: string }[];
  const confirm = async (id: string) => {
    const answer = await fetch(`${sandbox.urls.control}/payins/${id}/confirm`, { method: 'POST' });
    assert.equal(answer.status, 200);
  };
  const stateOf = async (): Promise<Record<string, string>> => {
    const { rows } = await pool.query<{ id: string; status: string }>('select id, status from topups');
    return Object.fromEntries(rows.map(({ id, status }) => [id, status]));
  };
  const made = async (): Promise<string> => JSON.parse((await create())!.text).data.id;

  // Waiting, paid with nobody told, and a cancellation whose answer is on its way.
  const [waiting, paid, canceled] = [await made(), await made(), await made()];
  await confirm(paid);
  sandbox.faults.arm({ operation: 'payin-cancel', fault: 'lost-answer' });
  const asked = [post(first.url, { path: `/topups/${canceled}/cancel`, key, body: {} })];
  await until(() => payins().some(({ status }) => status === 'CANCELED'), 'the provider has cancelled it');
  // One that the provider has not heard of, and one whose answer is on its way.
  sandbox.faults.arm({ operation: 'payin', fault: 'timeout' });
  asked.push(create());
  await until(async () => Object.keys(await stateOf()).length === 4, 'the fourth is written down');
  await until(() => sandbox.faults.list().length === 0, 'the fourth is at the provider');
  sandbox.faults.arm({ operation: 'payin', fault: 'lost-answer' });
  asked.push(create());
  await until(() => payins().length === 4, 'the fifth is made');
  await first.kill('SIGKILL');
  assert.deepEqual(await Promise.all(asked), [null, null, null]);

  await pool.query(A_MINUTE_LATER);
  const second = await startServer(t, { dataDir, env });
  const wanted = {
    [waiting]: 'TOPUP_AWAITING_USER_CONFIRMATION',
    [paid]: 'TOPUP_SUCCEEDED',
    [canceled]: 'TOPUP_CANCELED',
  };
  await until(async () => {
    const states = await stateOf();
    const others = Object.entries(states).filter(([id]) => !(id in wanted));
    return (
      Object.entries(wanted).every(([id, state]) => states[id] === state) &&
      others.every(([, state]) => state === 'TOPUP_AWAITING_USER_CONFIRMATION')
    );
  }, 'all are carried on');
  assert.equal(payins().length, 5);

  for (const { code, status } of payins()) if (status === 'CREATED') await confirm(code);
  for (const { code } of payins()) {
    const answer = await post(second.url, { path: `/topups/${code}/refresh`, key, body: {} });
    assert.equal(answer?.status, 200, code);
  }
  const { rows } = await pool.query(
    `select
      (select sum(balance)::bigint / 100000 from accounts where id = $1)::text as available,
      (select -sum(balance)::bigint / 100000 from accounts where id like 'payment-float:%')::text as float,
      (select count(*) from postings where move = 'topup' and amount > 0)::text as credits`,
    [`${userId}:available:USD`],
  );
  const { balance } = sandbox.describe() as { balance: { available: string } };
  assert.deepEqual(
    [rows[0], balance.available],
    [{ available: '400', float: '100000400', credits: '4' }, '1000004.00'],
  );
});
