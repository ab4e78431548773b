// The README's first steps, as a newcomer types them: each line is run, and each shows what its comment promises.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openTool, ROOT } from '../cli/tool.ts';

const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
const [, block] = /## First steps\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme) ?? [];
const lines = block?.trim().split('\n') ?? [];

/** The words of a line without its comment and its quotes. */
const wordsOf = (line: string): string[] =>
  line
    .replace(/\s+#.*$/, '')
    .split(/\s+/)
    .map((word) => word.replaceAll("'", ''));

const argumentsOf = (line: string): string[] => {
  const [npx, name, ...words] = wordsOf(line);
  assert.deepEqual([npx, name], ['npx', 'holdfast'], line);
  return words;
};

test('five commands lead from nothing to a released order, its events and the proof', {
  timeout: 240_000,
}, async (t) => {
  assert.equal(lines.length, 5);
  const [install, dev, order, events, proof] = lines as [string, string, string, string, string];
  assert.deepEqual(wordsOf(install), ['npm', 'ci']);

  // Everything from where a newcomer has it, without what makes the tests shorter.
  const tool = await openTool(t, { ownProcesses: true });
  tool.env.NODE_OPTIONS = '';
  const server = tool.start([...argumentsOf(dev), '--port', '0', '--sandbox-port', '0']);
  await server.says('Events appear below');

  const made = await tool.run(argumentsOf(order));
  assert.equal(made.code, 0, made.err);
  assert.match(made.out + made.err, /RELEASED/);
  await server.says('order.closed');

  const tail = tool.start(argumentsOf(events));
  await tail.says('order.created');
  await tail.says('order.closed');
  tail.interrupt();
  assert.equal((await tail.ended).code, 0);

  const proved = await tool.run(argumentsOf(proof));
  assert.equal(proved.code, 0, proved.err);
  assert.match(proved.out, /Balanced/);
});
