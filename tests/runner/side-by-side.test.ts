// Programs that run at the same time: each prints for itself, and none hides the failure of another.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Program, runSideBySide } from '../../tools/side-by-side.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';

const program = (name: string, text: string): Program => ({
  name,
  file: process.execPath,
  parameters: ['--eval', text],
});

const run = async (programs: readonly Program[]) => {
  const printed: string[] = [];
  const failed = await runSideBySide(programs, { cwd: import.meta.dirname, print: (text) => printed.push(text) });
  return { failed, printed: printed.toSorted() };
};

test('every program that fails is named with its output, and the others end all the same', async () => {
  const { failed, printed } = await run([
    program('first', `console.log('found'); console.error('more'); process.exit(3)`),
    program('second', `console.log('nothing to say')`),
    { name: 'third', file: '/nowhere/program', parameters: [] },
    program('fourth', `process.kill(process.pid, 'SIGKILL')`),
  ]);
  assert.deepEqual(failed, ['first', 'third', 'fourth']);
  assert.equal(printed.length, 4);
  assert.match(printed[0]!, /^✔ second$/);
  assert.match(printed.find((text) => text.includes('first'))!, /^✖ first\n(found\nmore|more\nfound)$/);
  assert.match(printed.find((text) => text.includes('third'))!, /^✖ third: \/nowhere\/program does not start/);
});

test('programs run at the same time: each of two ends when it has seen the other', async (t) => {
  const folder = await temporaryFolder(t);
  const meet = (own: string, other: string): string => `
    const { existsSync, writeFileSync } = require('node:fs');
    process.chdir(${JSON.stringify(folder)});
    writeFileSync('${own}', '');
    const timer = setInterval(() => existsSync('${other}') && clearInterval(timer), 5);`;
  const { failed } = await run([program('a', meet('a', 'b')), program('b', meet('b', 'a'))]);
  assert.deepEqual(failed, []);
});
