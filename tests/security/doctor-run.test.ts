// `holdfast doctor` and `npm run doctor` as an operator runs them: real programs, real databases, exit codes.
// doctor-run.long.test.ts has two more databases.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { test } from 'node:test';
import type { Connection } from '../../server/src/postgres/postmaster.ts';
import { urlOf } from '../../tools/cluster/database.ts';
import { startServer } from '../../tools/processes/server-process.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { until } from '../../tools/until.ts';
import { openTool, ROOT } from '../cli/tool.ts';
import { startApp } from '../support/app.ts';
import { byName } from './doctor-checks.ts';

test('the checklist checks a real database: durability, clock, migrations, proof and audit chain', async (t) => {
  const app = await startApp(t);
  await app.aUser({ available: '25.00' });
  const tool = await openTool(t);
  const env = { DATABASE_URL: urlOf(app.connection as Connection) };

  const first = await tool.run(['doctor', '--json'], { env });
  const checks = byName(first.json.checks);
  // The PostgreSQL of the tests runs without durability on purpose.
  assert.deepEqual([first.code, first.json.ok, checks.durability?.state], [1, false, 'failed'], first.err);
  assert.match(checks.durability!.detail, /fsync, full_page_writes, synchronous_commit/);
  const fineOnes = ['database', 'clock', 'migrations', 'proof', 'audit-chain'];
  for (const name of fineOnes) assert.equal(checks[name]?.state, 'ok', name);
  assert.ok('database-role' in checks);

  await app.sql('alter table audit_entries disable trigger all');
  await app.sql("update audit_entries set actor_id = 'changed' where seq = 2");
  await app.sql('alter table accounts disable trigger all');
  await app.sql('update accounts set balance = balance + 1 where balance > 0');
  const second = await tool.run(['doctor'], { env });
  assert.equal(second.code, 1);
  assert.match(second.out, /✗ {2}proof .*differ/);
  assert.match(second.out, /✗ {2}audit-chain .*broken at entry 2/);
  assert.match(second.out, /✗ durability: Turn them on/);
});

test('a database that does not answer, and settings that cannot be read, fail with a sentence', async (t) => {
  const tool = await openTool(t);
  const away = await tool.run(['doctor', '--json'], { env: { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/none' } });
  assert.deepEqual([away.code, byName(away.json.checks).database?.state], [1, 'failed']);
  assert.equal(away.out.includes('a:b@'), false);
  const unreadable = await tool.run(['doctor'], { env: { PORT: 'many' } });
  assert.equal(unreadable.code, 1);
  assert.match(unreadable.out, /✗ {2}settings {2}PORT is "many"/);
});

test('npm run doctor prints the same checks for people, and creates no database where there is none', async (t) => {
  const tool = await openTool(t);
  const child = spawn(process.execPath, [path.join(ROOT, 'server/src/programs/doctor.ts')], {
    env: tool.env,
    cwd: tool.folder,
  });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  const [code] = await once(child, 'close');
  assert.equal(code, 0, said);
  assert.match(said, /^Checked with the settings of this shell\./);
  assert.match(said, /✓ tls /);
  assert.match(said, /\? database +There is no database yet/);
  assert.match(said, /Ok: \d+\. Warnings: \d+\. Failed: 0\. Unknown: 1\./);
});

test('a starting server logs its failed checks, and no warnings on loopback', async (t) => {
  const database = await createDatabase();
  afterwards(t, database.drop);
  const env = { DATABASE_URL: urlOf(database.connection), LOG_LEVEL: 'warn' };
  const server = await startServer(t, { dataDir: await temporaryFolder(t), env });
  const loggedChecks = (): string[] => [...server.said().matchAll(/"check":"([a-z-]+)"/g)].map(([, name]) => name!);
  await until(() => loggedChecks().includes('durability'), 'the warning');
  // The master key can be guessed, and the PostgreSQL of the tests runs without durability.
  assert.deepEqual(loggedChecks(), ['secrets', 'durability']);
  assert.match(server.said(), /Can be guessed: MASTER_KEY/);
});
