// The database is unreachable for a while. Callers wait up to the documented limit, then get an error, and nothing is half done.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { migrate } from '../../server/src/commit/migrate.ts';
import { creditBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import { inSnapshot, openHeavyPool, openPool } from '../../server/src/postgres/connection.ts';
import { isAway } from '../../server/src/postgres/database-errors.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/src/postgres/embedded.ts';
import { inspectBooks } from '../../tools/load/check-books.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { type Fixture, MARKETPLACE, openFixture, usd } from './fixture.ts';

type Site = Fixture & { stop(): Promise<void>; start(): Promise<void> };

const openSite = async (t: TestContext, patienceMs: number): Promise<Site> => {
  const dataDir = await temporaryFolder(t);
  const boot = () => startEmbeddedPostgres({ dataDir, log() {}, settings: { shared_buffers: '16MB' } });
  let postgres: EmbeddedPostgres = await boot();
  afterwards(t, () => postgres.stop());
  const { connection } = postgres;
  const pool = openPool(connection, { max: 1, onError() {} });
  await migrate({ pool });
  await pool.end();
  const fixture = await openFixture(t, { connection, patienceMs });
  return {
    ...fixture,
    stop: () => postgres.stop(),
    async start() {
      postgres = await boot();
    },
  };
};

const credit = (site: Fixture, userId: string) =>
  site.submit(creditBalance, { userId, currency: 'USD', amount: usd('1.00') });

test('callers wait for a database that returns, and every command takes effect once', async (t) => {
  const site = await openSite(t, 60_000);
  const userId = await site.user();
  await site.stop();
  const waiting = Array.from({ length: 20 }, () => credit(site, userId));
  await site.start();
  await Promise.all(waiting);
  assert.equal(await site.available(userId), '20.00');

  // Again, with groups in flight when the database stops.
  const under = Array.from({ length: 500 }, () => credit(site, userId));
  await under[0];
  await site.stop();
  await site.start();
  await Promise.all(under);
  assert.equal(await site.available(userId), '520.00');
  await inspectBooks(site.pool, MARKETPLACE);
});

test('callers get an error within the promised time when the database stays unreachable, and nothing is half done', async (t) => {
  const patienceMs = 1_000;
  const site = await openSite(t, patienceMs);
  const userId = await site.user('1.00');
  await site.stop();
  const asked = performance.now();
  const settled = await Promise.allSettled(Array.from({ length: 20 }, () => credit(site, userId)));
  const waitedMs = performance.now() - asked;
  for (const one of settled) {
    assert.equal(one.status, 'rejected');
    assert.equal(one.status === 'rejected' && one.reason.code, 'SERVICE_UNAVAILABLE');
    assert.equal(one.status === 'rejected' && one.reason.details.retryAfter, 1);
  }
  assert.ok(waitedMs < 3 * patienceMs, `waited ${waitedMs} ms`);
  assert.equal(site.committer.queued, 0);
  await site.start();
  await credit(site, userId);
  assert.equal(await site.available(userId), '2.00');
  await inspectBooks(site.pool, MARKETPLACE);
});

test('a connection that ends between two reads of a snapshot fails the reads, and not the process', async (t) => {
  const { pool, connection } = await openFixture(t);
  const heavy = openHeavyPool(connection, { max: 1, timeoutMs: 5_000, onError() {} });
  afterwards(t, () => heavy.end());
  for (const from of [pool, heavy]) {
    const reading = inSnapshot(from, async (client) => {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      const ended = new Promise((resolve) => client.once('end', resolve));
      await (from === pool ? heavy : pool).query('select pg_terminate_backend($1::int)', [rows[0]!.pid]);
      await ended;
      return client.query('select 1');
    });
    await assert.rejects(reading, isAway, 'callers get 503 SERVICE_UNAVAILABLE and not 500');
  }
  assert.equal((await pool.query('select 1 as one')).rows[0].one, 1);
});
