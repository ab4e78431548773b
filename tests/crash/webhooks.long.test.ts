// The server is killed between the commit of an event, its delivery, the answer and the record of the answer: every event arrives at
// least once, none is skipped, and the events of a resource arrive in order.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { urlOf } from '../../tools/cluster/database.ts';
import { httpRequest } from '../../tools/processes/http-request.ts';
import { MASTER_KEY, type ServerProcess, startServer } from '../../tools/processes/server-process.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { until } from '../../tools/until.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

const OK = { status: 200 };

const call = async (url: string, { path, body }: { path: string; body: unknown }) => {
  const { status, text } = await httpRequest(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${MASTER_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(status < 300, text);
  return JSON.parse(text).data;
};

type Stage = {
  readonly receiver: Receiver;
  readonly client: pg.Client;
  readonly users: readonly string[];
  start(): Promise<ServerProcess>;
};

/** A database with an endpoint and users; every server that is started on it shares them. */
const openStage = async (t: TestContext): Promise<Stage> => {
  const database = await createDatabase();
  afterwards(t, () => database.drop());
  const receiver = await startReceiver(t);
  const client = new pg.Client(database.connection);
  await client.connect();
  afterwards(t, () => client.end());
  const keys = { WALLET_KEK: `1:${randomBytes(32).toString('base64')}` };
  const env = { DATABASE_URL: urlOf(database.connection), WEBHOOK_PRIVATE_ADDRESSES: 'allow', ...keys };
  const dataDir = await temporaryFolder(t);
  const start = () => startServer(t, { dataDir, env });
  const server = await start();
  const aUser = async (name: string) => (await call(server.url, { path: '/users', body: { externalUserId: name } })).id;
  const users = [await aUser('ann'), await aUser('ben')];
  await call(server.url, { path: '/webhook-endpoints', body: { url: receiver.url, events: ['balance.*'] } });
  await server.kill('SIGKILL');
  return { receiver, client, users, start };
};

const credit = async ({ url }: ServerProcess, users: readonly string[]): Promise<void> => {
  for (let time = 0; time < 3; time++) {
    for (const user of users) await call(url, { path: `/users/${user}/balance/credit`, body: { amount: '1.00' } });
  }
};

/** What every life has to end with. */
const assertComplete = async ({ receiver, client }: Stage): Promise<void> => {
  const { rows } = await client.query(
    "select position::integer from events where aggregate_type = 'Balance' order by 1",
  );
  const expected = rows.map(({ position }) => position);
  const arrived = () => [...new Set(receiver.received.map(({ event }) => event.metadata.position as number))];
  await until(() => arrived().length === expected.length, 'every event has arrived');
  assert.deepEqual(
    arrived().sort((one, other) => one - other),
    expected,
  );
  // The first arrival of each event.
  const first = new Map(receiver.received.toReversed().map(({ event }, at) => [event.eventId, { event, at: -at }]));
  const byResource = Map.groupBy(first.values(), ({ event }) => event.aggregateId);
  assert.equal(byResource.size, 2);
  for (const own of byResource.values()) {
    const inTime = own.sort((one, other) => one.at - other.at).map(({ event }) => event.metadata.position);
    assert.deepEqual(
      inTime,
      [...inTime].sort((one, other) => one - other),
      'in order within a resource',
    );
  }
};

test('killed after the commit and before the delivery', async (t) => {
  const stage = await openStage(t);
  // Another process holds the parts of all marketplaces, so nothing is sent.
  await stage.client.query('select pg_advisory_lock(1751545704, part) from generate_series(0, 31) part');
  const server = await stage.start();
  await credit(server, stage.users);
  await server.kill('SIGKILL');
  assert.equal(stage.receiver.received.length, 0);
  await stage.client.query('select pg_advisory_unlock_all()');
  await stage.start();
  await assertComplete(stage);
});

test('killed after the delivery and before the answer', async (t) => {
  const stage = await openStage(t);
  const server = await stage.start();
  let kills: Promise<unknown> | null = null;
  stage.receiver.answer(() => {
    if (stage.receiver.received.length < 4) return OK;
    kills ??= server.kill('SIGKILL');
    return null;
  });
  await credit(server, stage.users).catch(() => {});
  await until(() => kills !== null);
  await kills;
  stage.receiver.answer(OK);
  await credit(await stage.start(), stage.users);
  await assertComplete(stage);
});

test('killed after the answer and before its record', async (t) => {
  const stage = await openStage(t);
  const server = await stage.start();
  await credit(server, stage.users);
  await assertComplete(stage);
  // From here on nothing can be recorded.
  await stage.client.query('begin; lock table webhook_deliveries in access exclusive mode');
  const before = stage.receiver.received.length;
  await credit(server, stage.users);
  await stage.receiver.count(before + 2);
  const waits = `select 1 from pg_locks where relation = 'webhook_deliveries'::regclass and not granted`;
  await until(async () => (await stage.client.query(waits)).rowCount !== 0, 'a record waits');
  await server.kill('SIGKILL');
  await stage.client.query('rollback');
  await stage.start();
  await assertComplete(stage);
  const ids = () => stage.receiver.received.map(({ event }) => event.eventId);
  await until(() => ids().length > new Set(ids()).size, 'what was not recorded is sent again');
});

test('killed while a failed event waits for its next attempt', async (t) => {
  const stage = await openStage(t);
  const server = await stage.start();
  stage.receiver.answer({ status: 503 });
  await credit(server, stage.users);
  const pending = async () =>
    (await stage.client.query("select 1 from webhook_deliveries where status = 'PENDING'")).rowCount;
  await until(async () => (await pending()) === stage.users.length, 'the first event of each resource waits');
  await server.kill('SIGKILL');
  stage.receiver.answer(OK);
  await stage.start();
  await assertComplete(stage);
});

test('two servers, and the one that sends is killed: the other takes over', async (t) => {
  const stage = await openStage(t);
  const [one, other] = await Promise.all([stage.start(), stage.start()]);
  await credit(one, stage.users);
  await stage.receiver.count(1);
  await one.kill('SIGKILL');
  await credit(other, stage.users);
  await assertComplete(stage);
});
