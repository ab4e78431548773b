// The commands of docs/operators.md run from top to bottom, and its tables are those of the contract.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ROLE_SCOPES } from '@holdfast/contract/scopes.ts';
import { blocksOf } from '../cli/command-lines.ts';
import { BIN, openTool, ROOT } from '../cli/tool.ts';
import { MASTER_KEY, startApp } from '../support/app.ts';

const page = readFileSync(path.join(ROOT, 'docs/operators.md'), 'utf8');

test('every command of the page runs, and leaves what the page says', { timeout: 300_000 }, async (t) => {
  const app = await startApp(t);
  const tool = await openTool(t, { url: app.url, key: MASTER_KEY });
  const define = `holdfast() { "${process.execPath}" "${BIN}" "$@"; }`;
  const script = ['set -eu', define, ...blocksOf(page, 'sh')].join('\n');
  const child = spawn('bash', ['--norc', '-x'], { env: tool.env, cwd: tool.folder });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  child.stdin.end(script);
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(code, 0, said.slice(-3_000));
  assert.equal(said.match(/\/console\/join#hfi_default_/g)?.length, 2, said);
  const { body } = await app.call('GET /operators');
  assert.deepEqual(
    body.data.data.map(({ role, status, everywhere }: Record<string, unknown>) => [role, status, everywhere]),
    [
      ['support', 'DISABLED', false],
      ['admin', 'INVITED', true],
    ],
  );
});

test('the page shows each role with its scopes', () => {
  for (const [role, scopes] of Object.entries(ROLE_SCOPES)) {
    const cell = scopes.map((scope) => `\`${scope}\``).join(', ');
    assert.ok(page.includes(`| \`${role}\` | ${cell} |`), role);
  }
});
