// docs/cli.md is true: what it shows in `sh` runs from top to bottom, what it shows in `console` is a command that exists,
// and no command is missing from it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { createProgram } from '../../cli/src/program.ts';
import { MASTER_KEY, startApp } from '../support/app.ts';
import { BIN, openTool, ROOT } from './tool.ts';

const page = readFileSync(path.join(ROOT, 'docs/cli.md'), 'utf8');

const blocks = (language: string): string[] =>
  [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, given]) => given === language)
    .map(([, , text]) => text!);

const waysOf = (command: Command, way: readonly string[] = []): string[][] =>
  command.commands.length === 0 ? [[...way]] : command.commands.flatMap((each) => waysOf(each, [...way, each.name()]));

// Some sixty starts of the tool: half a minute alone, minutes on a machine that is busy otherwise.
test('every example that can run does, one after the other', { timeout: 400_000 }, async (t) => {
  const app = await startApp(t, { sandbox: true });
  // The master key may do what the examples about keys do, too.
  const tool = await openTool(t, { url: app.url, key: MASTER_KEY });
  const script = ['set -eu', `holdfast() { "${process.execPath}" "${BIN}" "$@"; }`, ...blocks('sh')].join('\n');
  const child = spawn('bash', ['--norc', '-x'], { env: tool.env, cwd: tool.folder });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  child.stdin.end(script);
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(code, 0, said.slice(-3_000));
});

test('every other example names a command and options that exist', async () => {
  for (const line of blocks('console').flatMap((block) => block.trim().split('\n'))) {
    const [, text] = /^\$ npx holdfast (.*?)(?:\s+#.*)?$/.exec(line) ?? [];
    assert.ok(text, line);
    const words = text.split(/\s+/);
    let command = createProgram();
    for (const word of words) command = command.commands.find((each) => each.name() === word) ?? command;
    assert.notEqual(command.name(), 'holdfast', line);
    const known = [...command.options, ...createProgram().options].map((each) => each.long);
    for (const option of words.filter((word) => word.startsWith('--'))) assert.ok(known.includes(option), line);
  }
});

test('every command is on the page', () => {
  const missing = waysOf(createProgram()).filter((way) => !page.includes(`holdfast ${way.join(' ')}`));
  assert.deepEqual(missing, []);
});
