// The server is killed again and again while deadlines pass: each is carried out exactly once, and the books hold.

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

const ORDERS = 150;
const KILLS = 6;

const call = async (url: string, { path, body }: { path: string; body?: unknown }) => {
  const { status, text } = await httpRequest(`${url}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${MASTER_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  assert.ok(status < 300, text);
  const { data } = JSON.parse(text);
  return data.data ?? data;
};

test('killed while deadlines pass: each order is canceled once', async (t) => {
  const database = await createDatabase();
  afterwards(t, () => database.drop());
  const client = new pg.Client(database.connection);
  await client.connect();
  afterwards(t, () => client.end());
  const keys = { WALLET_KEK: `1:${randomBytes(32).toString('base64')}` };
  const env = { DATABASE_URL: urlOf(database.connection), ...keys };
  const dataDir = await temporaryFolder(t);
  const start = () => startServer(t, { dataDir, env });
  const { url, kill } = await start();
  const user = async (externalUserId: string) => (await call(url, { path: '/users', body: { externalUserId } })).id;
  const buyerId = await user('ann');
  const sellerId = await user('ben');
  await call(url, { path: `/users/${buyerId}/balance/credit`, body: { amount: '100000.00' } });
  await call(url, { path: '/policies', body: { name: 'quick', rules: { cancelUnfundedAfter: 'P1D' } } });
  for (let made = 0; made < ORDERS; made++) {
    const order = { buyerId, sellerId, amount: '10.00', policy: 'quick' };
    const { id } = await call(url, { path: '/orders', body: order });
    await call(url, { path: `/orders/${id}/reserve`, body: {} });
  }
  await kill('SIGKILL');
  // Due one after the other from now on, so that every life of the server finds some of them.
  await client.query(
    `update deadlines d set at = now() + interval '2 seconds' + n.place * interval '40 milliseconds'
     from (select id, row_number() over (order by id) as place from deadlines) n where n.id = d.id`,
  );
  const count = async (sql: string): Promise<number> => (await client.query(sql)).rows[0].count;
  const closed = () => count("select count(*)::integer as count from orders where status = 'CLOSED'");
  for (let life = 1; life <= KILLS; life++) {
    const server = await start();
    const enough = (life * ORDERS) / (KILLS + 1);
    await until(async () => (await closed()) >= enough, 'some deadlines have passed');
    await server.kill('SIGKILL');
  }
  const server = await start();
  await until(async () => (await closed()) === ORDERS, 'every order is canceled');
  const { rows } = await client.query(
    `select event_type as type, count(*)::integer as events, count(distinct aggregate_id)::integer as orders from events
     where event_type in ('order.deadline_passed', 'order.canceled') group by 1 order by 1`,
  );
  assert.deepEqual(rows, [
    { type: 'order.canceled', events: ORDERS, orders: ORDERS },
    { type: 'order.deadline_passed', events: ORDERS, orders: ORDERS },
  ]);
  assert.equal(await count("select count(*)::integer as count from deadlines where status <> 'DONE'"), 0);
  const balance = await call(server.url, { path: `/users/${buyerId}/balance` });
  assert.deepEqual([balance.available, balance.reserved], ['100000.00', '0.00']);
  assert.equal((await call(server.url, { path: '/audit/proof' })).holds, true);
});
