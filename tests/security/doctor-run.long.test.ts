// `holdfast doctor` on a database without a schema, and on one where nothing is wrong.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrate } from '../../server/src/commit/migrate.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { startEmbeddedPostgres } from '../../server/src/postgres/embedded.ts';
import type { Connection } from '../../server/src/postgres/postmaster.ts';
import { urlOf } from '../../tools/cluster/database.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { openTool } from '../cli/tool.ts';
import { MASTER_KEY, startApp } from '../support/app.ts';
import { preparedFolder } from '../support/prepared-cluster.ts';
import { byName } from './doctor-checks.ts';

test('an empty database has migrations pending, and what depends on them is not guessed', async (t) => {
  const database = await createDatabase({ empty: true });
  afterwards(t, database.drop);
  const tool = await openTool(t);
  const { json } = await tool.run(['doctor', '--json'], { env: { DATABASE_URL: urlOf(database.connection) } });
  const { migrations, proof } = byName(json.checks);
  assert.deepEqual([migrations?.state, proof?.state], ['failed', 'unknown']);
});

test('a sound PostgreSQL is fine, and nothing wrong ends with 0', async (t) => {
  const settings = { max_connections: 20, shared_buffers: '16MB' };
  const postgres = await startEmbeddedPostgres({ dataDir: await preparedFolder(t), log() {}, settings });
  afterwards(t, postgres.stop);
  const pool = openPool(postgres.connection, { max: 1, onError() {} });
  await migrate({ pool }).finally(() => pool.end());
  const tool = await openTool(t);
  const env = { DATABASE_URL: urlOf(postgres.connection) };
  const { code, json, err } = await tool.run(['doctor', '--json'], { env });
  assert.deepEqual([code, json.ok], [0, true], JSON.stringify(json.checks) + err);
  assert.equal(byName(json.checks).durability?.state, 'ok');
});

test('the checklist names granted credit lines and unread ledgers, and warns when one is used or the ledger is read late', async (t) => {
  const app = await startApp(t, { sandbox: true, env: { SANDBOX_FLOAT: '100.00', DEPOSIT_POLL_S: '3600' } });
  const tool = await openTool(t);
  const env = { DATABASE_URL: urlOf(app.connection as Connection) };
  const creditLines = async () => byName((await tool.run(['doctor', '--json'], { env })).json.checks)['credit-lines']!;
  const none = await creditLines();
  assert.deepEqual([none.state, /No marketplace has a credit line/.test(none.detail)], ['ok', true], none.detail);

  const key = await app.key(['*'], 'mkt_shop');
  const body = { amount: '250.00', currency: 'USD' };
  await app.call('PUT /marketplaces/mkt_shop/credit-line', { key: MASTER_KEY, body });
  const granted = await creditLines();
  assert.equal(granted.state, 'ok');
  assert.match(granted.detail, /credit line: 1, together 250\.00 USD\. .*own float: 0\.00 USD/);

  const userId = await app.aUser({ key, hasEmail: true, available: '300.00' });
  const withdrawal = { userId, amount: '130.00', currency: 'USD', destination: { type: 'bank' } };
  assert.equal((await app.call('POST /withdrawals', { key, body: withdrawal })).status, 201);
  const used = await creditLines();
  assert.equal(used.state, 'warning');
  assert.match(used.detail, /own float: 30\.00 USD/);
  assert.match(used.remedy!, /holdfast marketplaces list/);

  await app.sql(`insert into ledger_cursors (marketplace_id, id, cursor, caught_up, updated_at) values ('mkt_default', 'payments', 0, true, now())
    on conflict do nothing`);
  await app.sql(`update ledger_cursors set latest_ledger = 900, reached_ledger = 700, reached_at = now() - interval '20 minutes'
    where id = 'payments'`);
  const { deposits } = byName((await tool.run(['doctor', '--json'], { env })).json.checks);
  assert.equal(deposits!.state, 'warning');
  assert.match(deposits!.detail, /read up to 12\d\d s ago; 200 ledgers were not read/);
});
