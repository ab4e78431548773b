// How the tool behaves whatever it is asked: help, mistakes, servers that are not there, pipes that close, completion.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { createProgram } from '../../cli/src/program.ts';
import { openLine } from '../sdk/line.ts';
import { openApp } from '../support/shared-app.ts';
import { BIN, openTool } from './tool.ts';

const NOWHERE = 'http://127.0.0.1:1';
const execute = promisify(execFile);

const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)];

test('every command has a sentence and an example in its help', () => {
  for (const command of everyCommand(createProgram())) {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) });
    command.outputHelp();
    assert.notEqual(command.description(), '', command.name());
    assert.match(help, /Examples?:\n {2}\$ .*holdfast/, command.name());
  }
});

test('mistakes are wrong usage, with a suggestion', async (t) => {
  const tool = await openTool(t);
  const alone = await openTool(t, { ownProcesses: true });
  const mistyped = await alone.run(['ordrs']);
  assert.deepEqual([mistyped.code, mistyped.out], [2, '']);
  assert.match(mistyped.err, /Did you mean orders\?/);
  const nested = await tool.run(['users', 'lst']);
  assert.match(nested.err, /Did you mean list\?/);
  assert.match(nested.err, /--help shows the commands and options\./);
  for (const args of [
    [],
    ['orders'],
    ['users', 'show'],
    ['users', 'list', '--limit', 'many'],
    ['clock', 'advance', 'soon'],
  ]) {
    assert.equal((await tool.run(args)).code, 2, args.join(' '));
  }
  assert.equal((await tool.run(['users', 'list', '--url', 'nonsense'])).code, 2);
  const { code, out } = await alone.run(['orders', '--help']);
  assert.equal(code, 0);
  assert.match(out, /--json/);
});

test('with --json a mistake is one JSON object too', async (t) => {
  const tool = await openTool(t);
  for (const args of [
    ['ordrs'],
    ['orders'],
    ['users', 'show'],
    ['clock', 'advance', 'soon'],
    ['health', '--url', 'x'],
  ]) {
    const { code, out, err } = await tool.run([...args, '--json']);
    assert.deepEqual([code, out], [2, ''], args.join(' '));
    const { error } = JSON.parse(err);
    assert.equal(error.code, 'WRONG_USAGE');
    assert.match(error.message, /\w+ \w+/);
  }
});

test('a write without an answer is reported as possibly done, to people and to programs', async (t) => {
  const app = await openApp(t);
  const key = await app.key(['*']);
  const user = await app.aUser({ key });
  const line = await openLine(t, app.url);
  const tool = await openTool(t, { url: line.url, key });
  const lost = ['lose-answer', 'lose-answer', 'lose-answer'] as const;
  line.play('/balance/credit', ...lost, ...lost);
  const told = await tool.run(['users', 'credit', user, '5.00']);
  assert.equal(told.code, 3);
  assert.match(told.err, /request may have succeeded/);
  const { error } = JSON.parse((await tool.run(['users', 'credit', user, '5.00', '--json'])).err);
  assert.deepEqual([error.code, error.outcomeUnknown], ['CONNECTION_FAILED', true]);
  assert.match(error.idempotencyKey, /^[0-9a-f-]{36}$/);
  assert.equal((await tool.run(['users', 'show', user, '--json'])).json.balance.available, '10.00');
  line.play('/users', 'lose-request', 'lose-request', 'lose-request');
  assert.doesNotMatch((await tool.run(['users', 'list'])).err, /may have succeeded/);
});

test('a server that is not there is said in a sentence with the next step, and ends with 3', async (t) => {
  const tool = await openTool(t, { url: NOWHERE, key: 'hf_x' });
  for (const args of [['users', 'list'], ['proof'], ['events', 'tail'], ['demo']]) {
    const { code, out, err } = await tool.run(args);
    assert.deepEqual([code, out], [3, ''], args.join(' '));
    assert.match(err, /Nothing answers at http:\/\/127\.0\.0\.1:1 .*\n.*holdfast dev/);
  }
  const alone = await openTool(t, { url: NOWHERE, ownProcesses: true });
  const forProgram = await alone.run(['health', '--json']);
  assert.equal(JSON.parse(forProgram.err).error.code, 'CONNECTION_FAILED');
  assert.equal(forProgram.out, '');
});

test('a pipe that closes early is no crash', async (t) => {
  const app = await openApp(t);
  const key = await app.key(['*']);
  for (let i = 0; i < 3; i++) await app.aUser({ key });
  const tool = await openTool(t, { url: app.url, key });
  const child = spawn(
    'bash',
    ['-c', `"$0" "$1" events tail --since 1h | head -n 1; echo "\${PIPESTATUS[0]}"`, process.execPath, BIN],
    {
      env: { ...tool.env, NO_COLOR: '1' },
    },
  );
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const closed = once(child, 'close');
  // Something has to be written after the reader has gone. It goes when it has its line.
  await once(child.stdout, 'data');
  const writing = (async () => {
    while (child.exitCode === null) await app.aUser({ key });
  })();
  await closed;
  await writing;
  assert.match(out, /user\.created.*\n0\n$/);
  assert.equal(err, '');
});

test('output that cannot be written is said, and ends with 1', async (t) => {
  const tool = await openTool(t);
  const args = ['-c', '"$0" "$1" completion bash > /dev/full', process.execPath, BIN];
  const failed = execute('bash', args, { env: tool.env });
  await assert.rejects(failed, { code: 1, stderr: /The output could not be written \(ENOSPC\)/ });
});

test('a closed output pipe does not leave an order half done', async (t) => {
  const app = await openApp(t, { sandbox: true });
  const tool = await openTool(t, { url: app.url, key: await app.key(['*']) });
  const running = tool.start(['orders', 'run', '--amount', '5.00', '--release']);
  running.child.stderr!.destroy();
  const { code, out } = await running.ended;
  assert.equal(code, 0);
  assert.match(out, /CLOSED, RELEASED/);
});

test('completion for zsh and fish names every command', async (t) => {
  const tool = await openTool(t);
  for (const shell of ['zsh', 'fish']) {
    const { code, out } = await tool.run(['completion', shell]);
    assert.equal(code, 0);
    for (const word of ['rotate-keys', 'forward', 'checkpoint', 'payout.completed'])
      assert.ok(out.includes(word), word);
    // Where the shell is installed it has the last word.
    const program = ['/bin', '/usr/bin', '/usr/local/bin'].map((folder) => path.join(folder, shell)).find(existsSync);
    if (program) {
      const file = path.join(tool.folder, `completion.${shell}`);
      await writeFile(file, out);
      await execute(program, ['-n', file]);
    }
  }
});
