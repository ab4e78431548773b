// `holdfast doctor` on a database without a schema, and on one where nothing is wrong.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrate } from '../../server/src/commit/migrate.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { startEmbeddedPostgres } from '../../server/src/postgres/embedded.ts';
import { urlOf } from '../../tools/cluster/database.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { openTool } from '../cli/tool.ts';
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
