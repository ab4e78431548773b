// A primary with replicas: a commit is acknowledged only when its synchronous replica has it, and a lane whose connection leads to a
// replica finds the primary.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { migrate } from '../../server/src/commit/migrate.ts';
import { creditBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { startEmbeddedPostgres } from '../../server/src/postgres/embedded.ts';
import { inspectBooks } from '../../tools/load/check-books.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { until } from '../../tools/until.ts';
import { type Fixture, MARKETPLACE, openFixture, usd } from './fixture.ts';

const openSite = async (t: TestContext): Promise<Fixture> => {
  const dataDir = await temporaryFolder(t);
  const postgres = await startEmbeddedPostgres({ dataDir, log() {}, settings: { shared_buffers: '16MB' } });
  afterwards(t, () => postgres.stop());
  const pool = openPool(postgres.connection, { max: 2, onError() {} });
  await migrate({ pool });
  await pool.end();
  return openFixture(t, { connection: postgres.connection, patienceMs: 60_000 });
};

const credit = (site: Fixture, userId: string) =>
  site.submit(creditBalance, { userId, currency: 'USD', amount: usd('1.00') });

const change = async ({ pool }: Fixture, setting: string): Promise<void> => {
  await pool.query(`alter system set ${setting}`);
  await pool.query('select pg_reload_conf()');
};

const WAITING = `select count(*)::int as n from pg_stat_activity where wait_event = 'SyncRep'`;

test('a commit is not acknowledged while its synchronous replica is missing', async (t) => {
  const site = await openSite(t);
  const userId = await site.user();
  await change(site, "synchronous_standby_names = 'missing'");
  let acknowledged = 0;
  const waiting = credit(site, userId).then(() => acknowledged++);
  await until(async () => {
    const { rows } = await site.pool.query<{ n: number }>(WAITING);
    return rows[0]!.n > 0;
  }, 'the commit waits for the replica');
  assert.equal(acknowledged, 0);
  await change(site, "synchronous_standby_names = ''");
  await waiting;
  assert.equal(await site.available(userId), '1.00');
  await inspectBooks(site.pool, MARKETPLACE);
});

test('a lane that reaches a replica waits for the primary, and every command takes effect once', async (t) => {
  const site = await openSite(t);
  const userId = await site.user();
  await credit(site, userId);
  // As a replica does, the database accepts no writes; connections that are open notice it with their next transaction.
  await change(site, 'default_transaction_read_only = on');
  await until(async () => {
    const { rows } = await site.pool.query(`select current_setting('default_transaction_read_only') as now`);
    return rows[0]!.now === 'on';
  }, 'the database accepts no writes');
  let acknowledged = 0;
  const waiting = Array.from({ length: 20 }, () => credit(site, userId).then(() => acknowledged++));
  await until(() => site.seen.troubles.some((text) => text.includes('is a replica')), 'a lane has refused a replica');
  assert.equal(acknowledged, 0);
  await change(site, 'default_transaction_read_only = off');
  await Promise.all(waiting);
  assert.equal(await site.available(userId), '21.00');
  await inspectBooks(site.pool, MARKETPLACE);
});
