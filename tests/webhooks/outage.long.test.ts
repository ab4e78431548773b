// Nothing is lost when a notification is, or when the database is away for a minute: everything is delivered afterwards.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { migrate } from '../../server/src/commit/migrate.ts';
import { sendTest } from '../../server/src/modules/webhook-deliveries/request-deliveries.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/src/postgres/embedded.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { until } from '../../tools/until.ts';
import { openFixture } from '../commit/fixture.ts';
import { startApp } from '../support/app.ts';
import { ALLOWED, anEndpoint, openSending } from './fixture.ts';

const AWAY_MS = 60_000;
const WAIT = { deadlineMs: 2 * AWAY_MS };

test('an event and a request whose notifications are lost are found by the round', async (t) => {
  const app = await openSending(t);
  const { id, receiver } = await anEndpoint(t, app);
  await app.aUser();
  await receiver.count(1);
  // A committer without a notifier: no process hears of its commits.
  const { user, submit } = await openFixture(t, { connection: app.connection, marketplaceId: app.marketplaceId });
  const userId = await user();
  await submit(sendTest, {
    endpointId: id,
    eventType: 'webhook.test',
    envelope: ({ id: eventId }) => JSON.stringify({ eventId, eventType: 'webhook.test', aggregateId: id }),
  });
  await receiver.count(3);
  const arrived = receiver.received.slice(1).map(({ event }) => event);
  assert.deepEqual(arrived.map(({ eventType }) => eventType).sort(), ['user.created', 'webhook.test']);
  assert.equal(arrived.find(({ eventType }) => eventType === 'user.created').payload.userId, userId);
});

const openStoppable = async (t: TestContext) => {
  const dataDir = await temporaryFolder(t);
  const boot = () => startEmbeddedPostgres({ dataDir, log() {}, settings: { shared_buffers: '16MB' } });
  let postgres: EmbeddedPostgres = await boot();
  afterwards(t, () => postgres.stop());
  const pool = openPool(postgres.connection, { max: 1, onError() {} });
  await migrate({ pool });
  await pool.end();
  return {
    connection: postgres.connection,
    stop: () => postgres.stop(),
    async start() {
      postgres = await boot();
    },
  };
};

test('the database is away for a minute while answers arrive and a failed event waits: every event is delivered, in order', async (t) => {
  const database = await openStoppable(t);
  const app = await startApp(t, { env: ALLOWED, connection: database.connection });
  const { receiver, read } = await anEndpoint(t, app, { events: ['balance.*'] });
  const users = await Promise.all(Array.from({ length: 4 }, () => app.aUser()));
  const credit = async (): Promise<void> => {
    for (const user of users) {
      const { status, text } = await app.call(`POST /users/${user}/balance/credit`, { body: { amount: '1.00' } });
      assert.equal(status, 200, text);
    }
  };
  const refused = new Set(users.slice(0, 1));
  receiver.answer(({ event }) => (refused.delete(event.payload.userId) ? { status: 500 } : { status: 200 }));
  await credit();
  await receiver.count(4);
  for (let time = 0; time < 20; time++) await credit();
  await database.stop();
  const back = Date.now() + AWAY_MS;
  await until(() => Date.now() >= back, WAIT);
  await database.start();
  await until(
    async () => (await app.call(`POST /users/${users[0]}/balance/credit`, { body: { amount: '1.00' } })).status === 200,
    WAIT,
  );
  const ids = () => new Set(receiver.received.map(({ event }) => event.eventId));
  await until(
    async () => ids().size === (await app.sql("select 1 from events where aggregate_type = 'Balance'")).length,
    WAIT,
  );
  await until(async () => (await read()).health.backlog === 0 && (await read()).health.pending === 0, WAIT);
  const firsts = new Map<string, number[]>();
  for (const { event } of receiver.received) {
    const own = firsts.get(event.aggregateId) ?? [];
    if (!own.includes(event.metadata.position)) own.push(event.metadata.position);
    firsts.set(event.aggregateId, own);
  }
  assert.equal(firsts.size, users.length);
  for (const own of firsts.values()) {
    assert.deepEqual(
      own,
      [...own].sort((one, other) => one - other),
      'in order within a resource',
    );
  }
});
