// Every way to start the server has the same limits of its memory. Without them V8 lets garbage grow to four times of what is in use
// before it collects, and the memory of an idle server depends on when it last did.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readText } from './sources.ts';

const STARTS = [
  ...['package.json', 'cli/src/commands/server.ts', 'bench/server-process.ts'],
  ...['deploy/Dockerfile', 'deploy/holdfast.service'],
];
/** Pools of the C library, one for each thread by default, keep freed memory: 22 MiB after the load of the measurement. */
const ARENAS = /MALLOC_ARENA_MAX(?:=|: ')2\b/;
const OPTIONS = ['--max-semi-space-size=16', '--max-old-space-size=1024', '--heap-growing-percent=20', '--expose-gc'];

test('every start of the server bounds the memory in the same way', () => {
  for (const file of STARTS) {
    const options = readText(file).match(/--(?:max|heap|expose)-[a-z-]+(?:=\d+)?/g);
    assert.deepEqual(options, OPTIONS, file);
    assert.match(readText(file), ARENAS, file);
  }
});
