#!/usr/bin/env node
// Starts the command-line tool. It is TypeScript that Node runs as it is, so an older Node hands over to the one that the
// checkout has pinned. Arguments may hold a key: the title of the process never shows them.

import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { constants, homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.title = 'holdfast';

const NODE_MAJOR = 26;
/** Who was interrupted too has ended by then, or has heard of it. */
const PASS_ON_MS = 500;
const here = dirname(realpathSync(fileURLToPath(import.meta.url)));

/** The pinned Node of the nearest folder above that has one. */
const findPinned = (folder) => {
  const node = join(folder, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  if (existsSync(node)) return node;
  return dirname(folder) === folder ? null : findPinned(dirname(folder));
};

const handOver = (node) => {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, HOLDFAST_PINNED: '1' },
  });
  let isInterrupted = false;
  process.on('SIGINT', () => {
    isInterrupted = true;
    // A terminal sends its Ctrl-C to both, a script to one of them. A second SIGINT would be taken for impatience; and one that
    // is just ending in good order would be killed by ours.
    setTimeout(() => child.kill('SIGTERM'), PASS_ON_MS);
  });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // As a shell has it: interrupted is 130, whichever of the two was.
  child.on('exit', (code, signal) => {
    const ended = isInterrupted ? 'SIGINT' : signal;
    process.exit(signal === null ? (code ?? 1) : 128 + constants.signals[ended]);
  });
};

if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) {
  // A short command took 0.33 s of processor time without it, 0.08 s with. Not in the temporary folder of all: what is
  // found there is run.
  const compiled = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'holdfast');
  module.enableCompileCache(compiled);
  // For the server too, when a command starts it.
  process.env.NODE_COMPILE_CACHE ??= compiled;
  await import('../src/main.ts');
} else {
  const pinned = process.env.HOLDFAST_PINNED === undefined ? findPinned(here) : null;
  if (pinned) handOver(pinned);
  else {
    process.stderr.write(
      `holdfast needs Node.js ${NODE_MAJOR}; this is ${process.versions.node}. Run \`npm ci\` in the checkout: it brings the right one.\n`,
    );
    process.exitCode = 2;
  }
}
