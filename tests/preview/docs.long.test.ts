// What docs/preview.md shows in `sh` runs from top to bottom.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { blocksOf } from '../cli/command-lines.ts';
import { BIN, openTool, ROOT } from '../cli/tool.ts';
import { startApp } from '../support/app.ts';

const page = readFileSync(path.join(ROOT, 'docs/preview.md'), 'utf8');

/** Enough of jq for the examples: the machine of the tests may not have it. */
const JQ = `jq() { "${process.execPath}" -e '
  const args = process.argv.slice(1);
  const path = args.at(-1).split(" == ")[0].split(".").filter(Boolean);
  const wanted = args.at(-1).split(" == ")[1];
  const value = path.reduce((at, name) => at?.[name], JSON.parse(require("node:fs").readFileSync(0, "utf8")));
  if (wanted !== undefined) process.exit(JSON.stringify(value) === wanted ? 0 : 1);
  if (value === undefined) process.exit(1);
  console.log(typeof value === "string" ? value : JSON.stringify(value));
' -- "$@"; }`;

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
  assert.match(said, /"available":"25\.00"/);
  assert.match(said, /Preview: the request would succeed/);
});
