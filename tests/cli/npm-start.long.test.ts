// `npm start` and then `npx holdfast`: the real server and the real tool on one data folder, without a key being pasted.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { urlOf } from '../../tools/cluster/database.ts';
import { type ServerProcess, startServer } from '../../tools/processes/server-process.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { openTool } from './tool.ts';

const SANDBOX = { SANDBOX: 'on', SANDBOX_PORT: '0', LOG_LEVEL: 'warn' };

const statusAt = async ({ url }: ServerProcess, key: string): Promise<number> =>
  (await fetch(`${url}/api/v1/auth/me`, { headers: { authorization: `Bearer ${key}` } })).status;

test('the tool needs no key beside a sandbox on loopback, and the key ends where a proxy is trusted', {
  timeout: 240_000,
}, async (t) => {
  const database = await createDatabase();
  afterwards(t, database.drop);
  const tool = await openTool(t);
  const dataDir = tool.env.DATA_DIR!;
  mkdirSync(dataDir, { mode: 0o711 });
  const env = { DATABASE_URL: urlOf(database.connection), ...SANDBOX };
  const file = path.join(dataDir, 'dev-key.json');
  const start = (more: Record<string, string> = {}) => startServer(t, { dataDir, env: { ...env, ...more } });

  const first = await start();
  const { url, key, marketplaceId } = JSON.parse(readFileSync(file, 'utf8'));
  assert.deepEqual([url, marketplaceId, statSync(file).mode & 0o777], [first.url, 'mkt_default', 0o600]);
  // The second of the three lines is run as it is printed.
  const [, words] = /^2\. .*npx holdfast (.+)$/m.exec(first.said()) ?? [];
  const order = await tool.run([...words!.split(' '), '--json']);
  assert.equal(order.code, 0, order.err);
  assert.equal(order.json.finalStatus, 'RELEASED');
  assert.equal(first.said().includes(key), false, 'the key is in its file and nowhere on the screen');

  // The checklist for settings that let other machines in: restarting with them is what it asks for.
  const doctor = await tool.run(['doctor', '--json'], { env: { ...env, TRUST_PROXY: '1' } });
  const states = Object.fromEntries(
    doctor.json.checks.map((check: { name: string; state: string }) => [check.name, check.state]),
  );
  assert.deepEqual([states['development-key-file'], states['development-keys']], ['failed', 'failed']);

  // That a second start keeps the key is in dev.long.test.ts, and that it writes the new address in tests/keys.
  await first.kill('SIGKILL');
  const reachable = await start({ TRUST_PROXY: '1' });
  assert.deepEqual([existsSync(file), await statusAt(reachable, key)], [false, 401]);
  assert.match(reachable.said(), /^1\. .*npx holdfast login --url/m);
});
