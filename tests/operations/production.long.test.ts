// docs/production.md: its `sh` examples run from top to bottom on a server with its own data folder, and its commands exist.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { startServer } from '../../tools/processes/server-process.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { until } from '../../tools/until.ts';
import { blocksOf } from '../cli/command-lines.ts';
import { BIN, openTool } from '../cli/tool.ts';
import { ROOT, readText } from '../tidy/sources.ts';

const page = readText('docs/production.md');

/** `doctor` refuses secrets that are made of words. */
const MASTER_KEY = 'master_4e1f0c92b7a85d3361e0d94c7f2ab85806f13dce';

test('every step of the table at the top has its section, and every file that is named exists', () => {
  const rows = [...page.matchAll(/^\| \[(\d+) [^\]]+\]/gm)].map(([, number]) => Number(number));
  const sections = [...page.matchAll(/^## (\d+)\. /gm)].map(([, number]) => Number(number));
  assert.deepEqual(rows, sections);
  assert.equal(sections.length, 10);
  const files = [...page.matchAll(/(?:node |`)((?:deploy|server)\/[\w./-]+)/g)].map(([, file]) => file!);
  assert.ok(files.length >= 4);
  for (const file of files) assert.ok(existsSync(path.join(ROOT, file)), file);
});

test('the examples of the checklist succeed, one after the other', { timeout: 290_000 }, async (t) => {
  const dataDir = await temporaryFolder(t);
  const sandbox = { SANDBOX: 'on', SANDBOX_PORT: '0', MASTER_KEY };
  const server = await startServer(t, { dataDir, env: sandbox });
  // Before the first run of the jobs that check, health is not ok.
  await until(async () => {
    const answer = await fetch(`${server.url}/api/v1/health/detailed`);
    return ((await answer.json()) as { data: { status: string } }).data.status === 'ok';
  }, 'health is ok');
  const tool = await openTool(t, { url: server.url, key: MASTER_KEY });
  const child = spawn('bash', ['--norc', '-x'], {
    cwd: ROOT,
    env: { ...tool.env, ...sandbox, DATA_DIR: dataDir, BACKUPS: await temporaryFolder(t) },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const npx = `npx() { shift; "${process.execPath}" "${BIN}" "$@"; }`;
  child.stdin.end(['set -euo pipefail', npx, ...blocksOf(page, 'sh')].join('\n'));
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(code, 0, said.slice(-3_000));
  assert.match(said, /every wallet opens with the restored WALLET_KEK/);
});
