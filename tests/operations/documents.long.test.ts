// The `sh` examples of docs/operating.md run from top to bottom.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { MASTER_KEY, startServer } from '../../tools/processes/server-process.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { until } from '../../tools/until.ts';
import { blocksOf } from '../cli/command-lines.ts';
import { BIN, openTool } from '../cli/tool.ts';
import { ROOT, readText } from '../tidy/sources.ts';

const page = readText('docs/operating.md');

/** Does what `curl -sf [-H header] url` does. */
const CURL = `const [url, header] = process.argv.slice(1).filter((each) => !/^-(sf|H)$/.test(each)).reverse();
  const [name, value] = (header ?? "accept: */*").split(/: (.*)/);
  const answer = await fetch(url, { headers: { [name]: value } });
  process.stdout.write(await answer.text());
  process.exitCode = answer.ok ? 0 : 22;`;

test('every example in `sh` succeeds, one after the other', { timeout: 300_000 }, async (t) => {
  const dataDir = await temporaryFolder(t);
  const server = await startServer(t, { dataDir });
  // Wait for the first run of the jobs that check: before it, health is not ok.
  await until(async () => {
    const answer = await fetch(`${server.url}/api/v1/health/detailed`);
    return ((await answer.json()) as { data: { status: string } }).data.status === 'ok';
  }, 'health is ok');
  const tool = await openTool(t, { url: server.url, key: MASTER_KEY });
  const child = spawn('bash', ['--norc', '-x'], {
    cwd: ROOT,
    env: {
      ...tool.env,
      DATA_DIR: dataDir,
      BACKUPS: await temporaryFolder(t),
      MASTER_KEY,
      SANDBOX: 'off',
      NODE: process.execPath,
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  // The tests need no installed curl; the page is for readers who have it.
  const curl = `command -v curl > /dev/null || curl() { "$NODE" -e '${CURL}' "$@"; }`;
  const npx = `npx() { shift; "$NODE" "${BIN}" "$@"; }`;
  child.stdin.end(['set -euo pipefail', curl, npx, ...blocksOf(page, 'sh')].join('\n'));
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(code, 0, said.slice(-3_000));
  assert.doesNotMatch(said, /^ {2}NO /m);
  assert.match(said, /every wallet opens with the restored WALLET_KEK/);
});
