// Runs the `sh` examples of a documentation page from top to bottom, with the real tool against a server.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { JQ } from '../preview/jq.ts';
import type { TestApp } from '../support/app.ts';
import { blocksOf } from './command-lines.ts';
import { BIN, openTool, ROOT } from './tool.ts';

type Page = {
  readonly page: string;
  readonly app: TestApp;
  readonly key: string;
  /** Lines of the shell before the first example. */
  readonly before?: readonly string[];
};

/** Returns everything that the examples have said, and their folder. */
export const runPage = async (t: TestContext, { page, app, key, before = [] }: Page) => {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  const tool = await openTool(t, { url: app.url, key });
  const script = [
    'set -euo pipefail',
    `holdfast() { "${process.execPath}" "${BIN}" "$@"; }`,
    JQ,
    `API=${app.url}/api/v1 AUTH='Authorization: Bearer ${key}' JSON='Content-Type: application/json'`,
    ...before,
    ...blocksOf(text, 'sh'),
  ].join('\n');
  const child = spawn('bash', ['--norc', '-x'], { env: tool.env, cwd: tool.folder });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  child.stdin.end(script);
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(code, 0, said.slice(-3_000));
  return { said, folder: tool.folder };
};
