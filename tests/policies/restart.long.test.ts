// A server with the sandbox is killed right after the clock of deadlines jumped, and starts again: the deadlines that are overdue pass
// once, in the order of their times.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import pg from 'pg';
import { urlOf } from '../../tools/cluster/database.ts';
import { httpRequest } from '../../tools/processes/http-request.ts';
import { MASTER_KEY, startServer } from '../../tools/processes/server-process.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { until } from '../../tools/until.ts';
import { DAY } from './fixture.ts';

const UNFUNDED = 12;
const FUNDED = 3;

const call = async (url: string, { path, body }: { path: string; body?: unknown }) => {
  const { status, text } = await httpRequest(`${url}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${MASTER_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  assert.ok(status < 300, `${path}: ${text}`);
  const { data } = JSON.parse(text);
  return data.data ?? data;
};

const TOLD = `select event_type as type, envelope::jsonb -> 'payload' ->> 'at' as at, aggregate_id as id from events
  where event_type like 'order.deadline\\_%' order by position`;

test('killed after a jump of the clock: overdue deadlines pass once and in order after the restart', async (t) => {
  const database = await createDatabase();
  afterwards(t, () => database.drop());
  const client = new pg.Client(database.connection);
  await client.connect();
  afterwards(t, () => client.end());
  const dataDir = await temporaryFolder(t);
  const env = {
    SANDBOX: 'on',
    SANDBOX_PORT: '0',
    DATABASE_URL: urlOf(database.connection),
    WALLET_KEK: `1:${randomBytes(32).toString('base64')}`,
  };
  const first = await startServer(t, { dataDir, env });
  const post = (path: string, body: unknown = {}) => call(first.url, { path, body });
  const user = async (externalUserId: string): Promise<string> => (await post('/users', { externalUserId })).id;
  const buyerId = await user('ann');
  const sellerId = await user('ben');
  await post(`/users/${buyerId}/balance/credit`, { amount: '10000.00' });

  const anOrder = async (rules: object): Promise<string> => {
    const { id: policy } = await post('/policies', { name: 'days', rules });
    const { id } = await post('/orders', { buyerId, sellerId, amount: '10.00', policy });
    await post(`/orders/${id}/reserve`);
    return id;
  };
  // Later orders are due earlier, and each has a reminder.
  for (let place = 0; place < UNFUNDED; place++) {
    await anOrder({ cancelUnfundedAfter: `P${20 - place}D`, remindBefore: ['PT6H'] });
  }
  const funded: string[] = [];
  for (let place = 0; place < FUNDED; place++) {
    const id = await anOrder({ autoReleaseAfter: `P${3 + 5 * place}D` });
    await post(`/orders/${id}/escrow`);
    await post(`/orders/${id}/escrow/fund`);
    funded.push(id);
  }
  await post('/sandbox/clock/advance', { seconds: 40 * DAY });
  await first.kill('SIGKILL');

  const second = await startServer(t, { dataDir, env });
  const count = async (sql: string): Promise<number> => (await client.query(sql)).rows[0].count;
  const open = "select count(*)::integer as count from orders where status <> 'CLOSED'";
  await until(async () => (await count(open)) === 0, 'every order is closed');
  assert.equal(await count("select count(*)::integer as count from deadlines where status = 'PENDING'"), 0);
  const { rows } = await client.query(TOLD);
  const passed = rows.filter(({ type }) => type === 'order.deadline_passed');
  assert.equal(passed.length, UNFUNDED + FUNDED);
  assert.equal(new Set(passed.map(({ id }) => id)).size, UNFUNDED + FUNDED);
  const times = passed.map(({ at }) => at);
  assert.deepEqual(times, times.toSorted());
  const reminded = rows.filter(({ type }) => type === 'order.deadline_reminder').map(({ id }) => id);
  assert.equal(reminded.length, new Set(reminded).size);
  for (const id of funded) assert.equal((await call(second.url, { path: `/orders/${id}` })).finalStatus, 'RELEASED');
  const balance = await call(second.url, { path: `/users/${buyerId}/balance` });
  assert.deepEqual([balance.available, balance.reserved], ['9970.00', '0.00']);
  assert.equal((await call(second.url, { path: '/audit/proof' })).holds, true);
});
