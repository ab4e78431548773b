// A server starts with the settings that `holdfast init` wrote, takes its master key, and the doctor agrees with them.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { readEnv } from '../../cli/src/init/env-file.ts';
import { clusterFolder } from '../../server/src/postgres/cluster.ts';
import { stopOrphan } from '../../server/src/postgres/postmaster.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import { openTool, ROOT } from './tool.ts';

test('a server starts with the settings, and only the written master key opens it', async (t) => {
  const tool = await openTool(t);
  assert.equal((await tool.run(['init', '--public-url', 'https://pay.shop.example'])).code, 0);
  const { DATABASE_PASSWORD: _, ...settings } = Object.fromEntries(
    readEnv(await readFile(path.join(tool.folder, '.env'), 'utf8')),
  );
  const dataDir = path.join(tool.folder, 'data');
  const env = { PATH: tool.env.PATH, HOME: tool.folder, ...settings, DATA_DIR: dataDir, PORT: '0' };
  const doctor = ['server/src/programs/doctor.ts', '--json'];
  // It exits with 1 when a check failed.
  await assert.doesNotReject(promisify(execFile)(process.execPath, doctor, { cwd: ROOT, env }));

  const child = spawn(process.execPath, ['server/src/main.ts'], { cwd: ROOT, env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  afterwards(t, async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
    await stopOrphan(clusterFolder(dataDir), () => {});
  });
  const address = (): string | undefined => /(http:\/\/127\.0\.0\.1:\d+)\/api\/v1/.exec(said)?.[1];
  await until(() => address() !== undefined || child.exitCode !== null, `the server was ready: ${said}`);
  const url = address();
  assert.ok(url, said);
  const me = (key: string) => fetch(`${url}/api/v1/auth/me`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal((await me(settings.MASTER_KEY!)).status, 200);
  assert.equal((await me('x'.repeat(64))).status, 401);
  for (const name of ['MASTER_KEY', 'JWT_SECRET', 'WALLET_KEK', 'METRICS_TOKEN'])
    assert.ok(!said.includes(settings[name]!), `${name} is not in the log`);
});
