// Signals to the tool, the tool under an older Node, and completion in bash. manners.test.ts has the rest of its manners.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openApp } from '../support/shared-app.ts';
import { AS_OLDER } from './older-node.ts';
import { BIN, openTool } from './tool.ts';

const execute = promisify(execFile);

test('an older Node passes a signal on to the pinned one, and ends as the shell expects', async (t) => {
  const tool = await openTool(t);
  for (const [signal, expected] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    // It waits for a key on standard input, which stays open.
    const child = spawn(process.execPath, [...AS_OLDER, 'login', '--verbose'], { env: tool.env });
    await once(child.stderr, 'data');
    child.kill(signal);
    const [code] = await once(child, 'close');
    assert.equal(code, expected);
  }
});

test('completion loads in bash and offers commands, options and values', async (t) => {
  const tool = await openTool(t);
  const { out } = await tool.run(['completion', 'bash']);
  const file = path.join(tool.folder, 'completion.bash');
  await writeFile(file, out);
  const complete = async (...words: string[]): Promise<string[]> => {
    const script = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _holdfast; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await execute('bash', ['--norc', '-c', script, file, 'holdfast', ...words]);
    return stdout.split('\n').filter((word) => word !== '');
  };
  assert.deepEqual(await complete('or'), ['orders']);
  assert.deepEqual(await complete('orders', 'sh'), ['show']);
  assert.deepEqual(await complete('--json', 'orders', 're'), ['receipt', 'reserve', 'release', 'refund']);
  assert.deepEqual(await complete('orders', 'run', '--rel'), ['--release']);
  assert.deepEqual(await complete('disputes', 'list', '--status', 'UN'), ['UNDER_REVIEW']);
  assert.deepEqual(await complete('trigger', 'payin.s'), ['payin.succeeded']);
});

test('completion works as it is called in a checkout: by npx, by a path, and beside another completion of npx', async (t) => {
  const tool = await openTool(t);
  const file = path.join(tool.folder, 'completion.bash');
  await writeFile(file, (await tool.run(['completion', 'bash'])).out);
  /** What bash itself looks up for the first word, and what that function offers. */
  const complete = async (before: string, ...words: string[]): Promise<string[]> => {
    const script = `${before}
      source "$0"; source "$0"
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
      spec=$(complete -p "\${1##*/}"); [[ $spec =~ -F\\ ([^ ]+) ]] && "\${BASH_REMATCH[1]}"
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await execute('bash', ['--norc', '-c', script, file, ...words]);
    return stdout.split('\n').filter((word) => word !== '');
  };
  assert.deepEqual(await complete('', 'npx', 'holdfast', 'orders', 'sh'), ['show']);
  assert.deepEqual(await complete('', 'npx', 'holdfast', 'or'), ['orders']);
  assert.deepEqual(await complete('', './node_modules/.bin/holdfast', 'orders', 'sh'), ['show']);
  assert.deepEqual(await complete('', 'npx', 'hold'), ['holdfast']);
  const other = '_npx() { COMPREPLY=(other); }; complete -F _npx npx';
  assert.deepEqual(await complete(other, 'npx', 'biome', ''), ['other']);
  assert.deepEqual(await complete(other, 'npx', 'holdfast', 'or'), ['orders']);
});

test('an older Node hands over to the pinned one, and says what to do where there is none', async (t) => {
  const tool = await openTool(t);
  const args = [...AS_OLDER, '--version'];
  const { stdout } = await execute(process.execPath, args, { env: tool.env });
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  const pinned = execute(process.execPath, args, { env: { ...tool.env, HOLDFAST_PINNED: '1' } });
  await assert.rejects(pinned, { code: 2, stderr: /holdfast needs Node\.js 26; this is 20\.0\.0\. Run `npm ci`/ });
});

test('Ctrl-C that reaches an older Node and the pinned one is one wish to stop, also without a terminal', async (t) => {
  const app = await openApp(t);
  const key = await app.key(['*']);
  await app.aUser({ key });
  const tool = await openTool(t, { url: app.url, key });
  // A group of its own, as a shell makes one: the signal goes to both.
  const child = spawn(process.execPath, [...AS_OLDER, 'events', 'tail', '--since', '1h'], {
    env: tool.env,
    detached: true,
  });
  await once(child.stdout, 'data');
  process.kill(-child.pid!, 'SIGINT');
  const [code] = await once(child, 'close');
  assert.equal(code, 0);
});

test('a SIGTERM and a Ctrl-C right behind it are one wish to stop', async (t) => {
  const app = await openApp(t);
  const key = await app.key(['*']);
  await app.aUser({ key });
  const tool = await openTool(t, { url: app.url, key });
  // The system says which of two signals comes first, so the second is raised inside, when the first has been heard.
  const behind = "process.on('SIGTERM', () => queueMicrotask(() => process.emit('SIGINT')))";
  const args = [
    '--import',
    `data:text/javascript,${encodeURIComponent(behind)}`,
    BIN,
    'events',
    'tail',
    '--since',
    '1h',
  ];
  const child = spawn(process.execPath, args, { env: tool.env });
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  const [code] = await once(child, 'close');
  assert.equal(code, 0);
});
