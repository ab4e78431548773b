// docs/quick-start.md: its commands, from top to bottom, in bash with curl, against the real server on a new data folder.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startServer } from '../../tools/processes/server-process.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { blocksOf } from './command-lines.ts';
import { ROOT } from './tool.ts';

const page = readFileSync(path.join(ROOT, 'docs/quick-start.md'), 'utf8');

/** The address that the page names; a test server has another one. */
const ADDRESS = 'http://127.0.0.1:4000';

test('the quick start has at most nine commands, and needs no tool beside curl', () => {
  assert.match(page, /^## 9\. /m);
  assert.doesNotMatch(page, /^## 10\./m);
  const words = blocksOf(page, 'sh').join('\n');
  assert.doesNotMatch(words, /\b(jq|python|npx|node|sed)\b/);
  assert.equal(words.split(ADDRESS).length, 2);
});

test('the commands of the quick start print what the page shows', { timeout: 240_000 }, async (t) => {
  const folder = await temporaryFolder(t);
  const dataDir = path.join(folder, '.data');
  mkdirSync(dataDir, { mode: 0o711 });
  const { url } = await startServer(t, { dataDir, env: { SANDBOX: 'on', SANDBOX_PORT: '0' } });
  const script = ['set -eu', ...blocksOf(page, 'sh')].join('\n').replace(ADDRESS, url);
  const child = spawn('bash', ['--norc'], { cwd: folder });
  child.stdin.end(script);
  const [code, out, err] = await Promise.all([
    new Promise((resolve) => child.on('close', resolve)),
    text(child.stdout),
    text(child.stderr),
  ]);
  assert.equal(code, 0, err);
  assert.equal(out, blocksOf(page, 'text').join(''));
});
