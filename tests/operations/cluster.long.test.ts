// `npm run cluster` starts a server on a distributed PostgreSQL, says where each marketplace lives, and leaves nothing behind. Skipped where no
// PostgreSQL of the machine has Citus.

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { findPrograms } from '../../tools/distributed/programs.ts';
import { freePort } from '../../tools/drills/server.ts';
import { httpRequest } from '../../tools/processes/http-request.ts';
import { startLoneProcess } from '../../tools/processes/lone-process.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { refusalOf } from './run-script.ts';

const SCRIPT = path.resolve(import.meta.dirname, '../../scripts/cluster.ts');
const skip = (await findPrograms()) === null ? 'needs a PostgreSQL with Citus' : false;

test('a number of workers out of bounds is refused with the usage', async () => {
  assert.match(await refusalOf('scripts/cluster.ts', '--workers', '0'), /It must be a whole number from 1 to 16\./);
});

test('a marketplace that is added is shown with its node and shard, and Ctrl-C leaves nothing behind', {
  skip,
}, async (t) => {
  const folder = await temporaryFolder(t);
  const port = await freePort();
  const args = ['--workers', '2', '--shards', '2', '--port', String(port)];
  const cluster = startLoneProcess({ file: SCRIPT, args, folder, env: { ...process.env, TMPDIR: folder } });
  afterwards(t, () => cluster.kill('SIGKILL'));
  const masterKey = await cluster.hear(/Master key: (\S+)/);
  await cluster.hear(/Where the marketplaces live/);
  const body = JSON.stringify({ name: 'shop', scopes: ['*'], marketplaceId: 'mkt_shop' });
  const headers = { authorization: `Bearer ${masterKey}`, 'content-type': 'application/json' };
  const url = `http://127.0.0.1:${port}/api/v1/auth/api-keys`;
  const { status, text } = await httpRequest(url, { method: 'POST', headers, body });
  assert.equal(status, 201, text);
  await cluster.hear(/mkt_shop +worker-[12] +\d+/);
  const exit = await cluster.kill('SIGINT');
  assert.deepEqual(exit, { code: 0, signal: null }, cluster.said());
  assert.deepEqual(await readdir(folder), []);
});
