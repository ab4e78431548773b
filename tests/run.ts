// Runs the tests: one temporary PostgreSQL with a migrated template database for all of them, then node's own runner.
// `node tests/run.ts` runs everything; folders, files or parts of names choose, and options go to node's runner.
// Never leaves PostgreSQL or its folder behind.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, glob, mkdtemp, rm, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { prepareBrowser } from './browser/prepare.ts';
import { groupTests } from './support/groups.ts';
import { prepareLoading } from './support/loading.ts';
import { prepareTemplate, startTestPostgres } from './support/template.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const TEST_TIMEOUT_MS = 120_000;
/** Three more than there are processors: most tests also wait, for the database or for a process of their own. */
const PROCESSES = os.availableParallelism() + 3;
const COMPILED = path.join(ROOT, 'node_modules/.cache/holdfast-tests');
/** The young are collected less often: a twentieth less CPU. */
const ROOMY = '--max-semi-space-size=64';
const MEMORY = '/dev/shm';
const MEMORY_MIN_BYTES = 4 * 1024 ** 3;

const given = process.argv.slice(2);
const options = given.filter((argument) => argument.startsWith('--'));
const files = await findTests(given.filter((argument) => !argument.startsWith('--')));
if (files.length === 0) {
  console.error(`No test file matches ${given.join(' ') || 'tests/**/*.test.ts'}.`);
  process.exit(1);
}

let interrupted = false;
let interrupt = () => {
  interrupted = true;
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupt());
process.exitCode = await runAll();

async function runAll(): Promise<number> {
  // The tests' own temporary files go here too, so an interrupted test leaves nothing either.
  const folder = await mkdtemp(path.join(await roomyFolder(), 'holdfast-run-'));
  await chmod(folder, 0o711);
  process.env.TMPDIR = folder;
  const postgres = await startTestPostgres();
  try {
    if (interrupted) return 1;
    const template = await prepareTemplate(postgres.connection);
    const needsBrowser = files.some((file) => file.startsWith(path.normalize('tests/browser/')));
    const browser: Record<string, string> = needsBrowser
      ? { TEST_BROWSER: JSON.stringify(await prepareBrowser()) }
      : {};
    const groups = await groupTests(files, { root: ROOT, folder, processes: PROCESSES });
    return await runTests(groups, {
      TEST_POSTGRES: JSON.stringify(template),
      ...(await prepareLoading(COMPILED)),
      ...browser,
    });
  } finally {
    await postgres.stop();
    // An interrupted test's programs may write for another moment.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

async function runTests(groups: string[], environment: Record<string, string>): Promise<number> {
  const concurrency = `--test-concurrency=${PROCESSES}`;
  const defaults = ['--test', '--test-reporter=spec', `--test-timeout=${TEST_TIMEOUT_MS}`, concurrency];
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [ROOMY, ...defaults, ...options, ...groups], {
    cwd: ROOT,
    env,
    stdio: 'inherit',
  });
  interrupt = () => child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

// Cloning a database in memory took 20 ms of CPU each time, on a disk from 20 to 160 ms.
async function roomyFolder(): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => null);
  return memory && memory.bavail * memory.bsize >= MEMORY_MIN_BYTES ? MEMORY : os.tmpdir();
}

async function findTests(wanted: string[]): Promise<string[]> {
  const all = (await Array.fromAsync(glob('tests/**/*.test.ts', { cwd: ROOT }))).sort();
  if (wanted.length === 0) return all;
  return all.filter((file) => wanted.some((part) => file.includes(path.normalize(part))));
}
