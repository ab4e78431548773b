// A server that is killed anywhere in a top-up: the next one finds the top-up in the database and at the provider, and continues it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSandbox } from '../../sandbox/src/sandbox.ts';
import { newKey, newUser, openEmbedded, post, startServer } from '../../tools/processes/server-process.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { until } from '../../tools/until.ts';
import { SECRET } from './payment-fixture.ts';
import { A_MINUTE_LATER, assertCarriedOnAfterRestart } from './topup-restart-checks.ts';

test('a top-up that had not reached the provider when the server stopped is continued by the next one', async (t) => {
  await assertCarriedOnAfterRestart(t, 'timeout');
});

test('kill -9 at every step of a top-up: each continues at that step, and is paid once', async (t) => {
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

  // A waiting top-up, a paid one without a webhook, and a cancellation whose answer has not arrived.
  const waiting = await made();
  const paid = await made();
  const canceled = await made();
  await confirm(paid);
  sandbox.faults.arm({ operation: 'payin-cancel', fault: 'lost-answer' });
  const asked = [post(first.url, { path: `/topups/${canceled}/cancel`, key, body: {} })];
  await until(() => payins().some(({ status }) => status === 'CANCELED'), 'the provider has cancelled it');
  // A top-up that has not reached the provider, and one whose answer has not arrived.
  sandbox.faults.arm({ operation: 'payin', fault: 'timeout' });
  asked.push(create());
  await until(async () => Object.keys(await stateOf()).length === 4, 'the fourth is stored');
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
  }, 'all have continued');
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
    [{ available: '400', float: '100000000400', credits: '4' }, '1000000004.00'],
  );
});
