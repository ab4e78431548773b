// Runs the tests: one temporary PostgreSQL with a migrated template database for all of them, then node's own runner.
// `node tests/run.ts` runs everything; folders, files or parts of names choose, and options go to node's runner.
// Never leaves PostgreSQL or its folder behind.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, glob, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { prepareTemplate, startTestPostgres } from './support/template.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const TEST_TIMEOUT_MS = 120_000;

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
  const folder = await mkdtemp(path.join(os.tmpdir(), 'holdfast-run-'));
  await chmod(folder, 0o711);
  const postgres = await startTestPostgres();
  try {
    if (interrupted) return 1;
    const template = await prepareTemplate(postgres.connection);
    return await runTests({ TEST_POSTGRES: JSON.stringify(template), TMPDIR: folder });
  } finally {
    await postgres.stop();
    // An interrupted test's programs may write for another moment.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

async function runTests(environment: Record<string, string>): Promise<number> {
  const concurrency = `--test-concurrency=${Math.max(2, os.availableParallelism())}`;
  const defaults = ['--test', '--test-reporter=spec', `--test-timeout=${TEST_TIMEOUT_MS}`, concurrency];
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [...defaults, ...options, ...files], { cwd: ROOT, env, stdio: 'inherit' });
  interrupt = () => child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

async function findTests(wanted: string[]): Promise<string[]> {
  const all = (await Array.fromAsync(glob('tests/**/*.test.ts', { cwd: ROOT }))).sort();
  if (wanted.length === 0) return all;
  return all.filter((file) => wanted.some((part) => file.includes(path.normalize(part))));
}
