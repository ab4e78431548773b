// docs/cli.md names commands, arguments and options that exist, and leaves no command out. docs.long.test.ts runs its examples.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { createProgram } from '../../cli/src/program.ts';
import { blocksOf, commandLines, parseOnly } from './command-lines.ts';
import { ROOT } from './tool.ts';

const page = readFileSync(path.join(ROOT, 'docs/cli.md'), 'utf8');

const waysOf = (command: Command, way: readonly string[] = []): string[][] =>
  command.commands.length === 0 ? [[...way]] : command.commands.flatMap((each) => waysOf(each, [...way, each.name()]));

test('every example is a command with arguments and options that exist', async () => {
  const lines = [...blocksOf(page, 'sh'), ...blocksOf(page, 'console')].flatMap(commandLines);
  assert.equal(lines.length, page.match(/^(\$ npx |\w+=\$\()?holdfast /gm)?.length);
  for (const words of lines) {
    await assert.doesNotReject(parseOnly(words), words.join(' '));
  }
});

test('an example with an unknown command, a missing argument or an unknown option is found', async () => {
  const wrong = ['ordrs list', 'users show', 'orders run --amont 5.00', 'orders list --status LOST', 'proof --ids'];
  for (const line of wrong) await assert.rejects(parseOnly(line.split(' ')), line);
});

test('every command is on the page', () => {
  const missing = waysOf(createProgram()).filter((way) => !page.includes(`holdfast ${way.join(' ')}`));
  assert.deepEqual(missing, []);
});
