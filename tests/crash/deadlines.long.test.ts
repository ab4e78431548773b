// Two servers are killed in turn, again and again, while deadlines and reminders of every kind pass: each is carried out exactly once, and
// the books hold.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { startSandbox } from '../../sandbox/src/sandbox.ts';
import { urlOf } from '../../tools/cluster/database.ts';
import { type ServerProcess, startServer } from '../../tools/processes/server-process.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { until } from '../../tools/until.ts';
import { assertOnce, makeOrders, makeParties, type Sql } from './deadline-orders.ts';

const KILLS = 8;

/** Reminders are due before the deadlines; each half has the kinds in a mixed order. */
const DUE_ONE_AFTER_THE_OTHER = `update deadlines d
  set at = now() + interval '3 seconds' + n.place * interval '70 milliseconds'
  from (select id, row_number() over (order by kind <> 'reminder', md5(id)) as place from deadlines) n where n.id = d.id`;

const DONE = "select count(*)::integer as count from deadlines where status = 'DONE'";
const ALL = 'select count(*)::integer as count from deadlines';
const AT_WORK = "select 1 from operations where state = 'RUNNING'";

/** Simulators and a database that outlive the servers. */
const openOutside = async (t: TestContext) => {
  const database = await createDatabase();
  afterwards(t, () => database.drop());
  const client = new pg.Client(database.connection);
  await client.connect();
  afterwards(t, () => client.end());
  const sandbox = await startSandbox({ port: 0 });
  afterwards(t, () => sandbox.close());
  const factories = sandbox.describe().escrowFactories as Record<string, string>;
  const env = {
    DATABASE_URL: urlOf(database.connection),
    WALLET_KEK: `1:${randomBytes(32).toString('base64')}`,
    ESCROW_PROVIDER_URL: `${sandbox.url}/escrow-provider`,
    LEDGER_URL: `${sandbox.url}/ledger`,
    PAYMENT_PROVIDER_URL: `${sandbox.url}/payment-provider/v2`,
    ESCROW_FACTORY_SINGLE: factories['single-release']!,
    ESCROW_FACTORY_MULTI: factories['multi-release']!,
    ESCROW_PROVIDER_RATE_PER_MINUTE: '0',
    LEDGER_RATE_PER_MINUTE: '0',
    DEPOSIT_POLL_S: '1',
  };
  const sql: Sql = async (text) => (await client.query(text)).rows;
  const faucet = async (address: string): Promise<void> => {
    const answer = await fetch(`${sandbox.urls.control}/faucet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address, asset: 'USDC', amount: '10000.00' }),
    });
    assert.ok(answer.ok, await answer.text());
  };
  return { env, sql, faucet };
};

test('two servers killed while deadlines of every kind pass: each is carried out once', async (t) => {
  const { env, sql, faucet } = await openOutside(t);
  const folders = [await temporaryFolder(t), await temporaryFolder(t)] as const;
  const start = (place: number): Promise<ServerProcess> => startServer(t, { dataDir: folders[place]!, env });
  const first = await start(0);
  const parties = await makeParties(first.url, { sql, faucet });
  await makeOrders(first.url, parties);
  await first.kill('SIGKILL');
  await sql(DUE_ONE_AFTER_THE_OTHER);

  const count = async (text: string): Promise<number> => (await sql(text))[0].count;
  const all = await count(ALL);
  const servers = [await start(0), await start(1)];
  for (let kill = 1; kill <= KILLS; kill++) {
    await until(async () => (await count(DONE)) >= (kill * all) / (KILLS + 1), 'some deadlines have passed');
    const place = kill % 2;
    await servers[place]!.kill('SIGKILL');
    servers[place] = await start(place);
  }
  const isOver = async () => (await count(DONE)) === all && (await sql(AT_WORK)).length === 0;
  await until(isOver, { what: 'every deadline has passed', deadlineMs: 180_000 });
  await assertOnce(servers[0]!.url, { sql, parties });
});
