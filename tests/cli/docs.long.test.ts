// What docs/cli.md shows in `sh` runs from top to bottom.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { MASTER_KEY, startApp } from '../support/app.ts';
import { blocksOf } from './command-lines.ts';
import { BIN, openTool, ROOT } from './tool.ts';

const page = readFileSync(path.join(ROOT, 'docs/cli.md'), 'utf8');

// Some sixty starts of the tool: half a minute alone, minutes on a machine that is busy otherwise.
test('every example that can run does, one after the other', { timeout: 400_000 }, async (t) => {
  const app = await startApp(t, { sandbox: true });
  // The master key may do what the examples about keys do, too.
  const tool = await openTool(t, { url: app.url, key: MASTER_KEY });
  const define = `holdfast() { "${process.execPath}" "${BIN}" "$@"; }`;
  const script = ['set -eu', define, ...blocksOf(page, 'sh')].join('\n');
  const child = spawn('bash', ['--norc', '-x'], { env: tool.env, cwd: tool.folder });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  child.stdin.end(script);
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(code, 0, said.slice(-3_000));
});
