// What docs/notes.md shows in `sh` runs from top to bottom.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { blocksOf } from '../cli/command-lines.ts';
import { BIN, openTool, ROOT } from '../cli/tool.ts';
import { JQ } from '../preview/jq.ts';
import { startApp } from '../support/app.ts';

const page = readFileSync(path.join(ROOT, 'docs/notes.md'), 'utf8');

test('every example of the page runs, one after the other', { timeout: 300_000 }, async (t) => {
  const app = await startApp(t, { sandbox: true });
  const key = await app.key(['*']);
  const tool = await openTool(t, { url: app.url, key });
  const script = [
    'set -euo pipefail',
    `holdfast() { "${process.execPath}" "${BIN}" "$@"; }`,
    JQ,
    `API=${app.url}/api/v1 AUTH='Authorization: Bearer ${key}' JSON='Content-Type: application/json'`,
    ...blocksOf(page, 'sh'),
  ].join('\n');
  const child = spawn('bash', ['--norc', '-x'], { env: tool.env, cwd: tool.folder });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  child.stdin.end(script);
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(code, 0, said.slice(-3_000));
});
