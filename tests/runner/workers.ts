// Runs test files in several worker processes at once. A worker that is free gets the next file, so nothing has to be known
// about the files beforehand. A worker that ends or hangs fails the file it was at; another one takes its place.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Failure, FromWorker, ToWorker } from './messages.ts';
import type { FileResult } from './progress.ts';
import type { Scheduled } from './schedule.ts';

type WorkerOptions = {
  readonly root: string;
  readonly workers: number;
  readonly fileTimeoutMs: number;
  /** For node itself, such as --test-name-pattern. */
  readonly nodeOptions: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  onDone(result: FileResult): void;
};

const WORKER = path.join(import.meta.dirname, 'worker.ts');
const REPORTER = path.join(import.meta.dirname, 'reporter.ts');
/** A worker's memory grows with the files it has loaded. A new worker loads everything again: servers and a browser too. */
const FILES_PER_WORKER_MAX = 90;
/** It counts calls by the engine's own figures, which depend on the code that the process has run before. */
const OWN_PROCESS = ['tests/tidy/tenancy-life.long.test.ts'];
/** The suite itself times out first and says which test hung. */
const KILL_AFTER_MS = 20_000;
const END_TIMEOUT_MS = 60_000;
const OUTPUT_MAX = 20_000;

type Worker = { readonly child: ChildProcess; output: string; files: number };

export async function runInWorkers(files: readonly Scheduled[], options: WorkerOptions): Promise<void> {
  const queue = files.map(({ file }) => file);
  const work = async (): Promise<void> => {
    let worker: Worker | null = null;
    while (queue.length > 0 && !options.signal.aborted) {
      const file = queue.shift()!;
      if (worker && OWN_PROCESS.includes(file)) {
        await endWorker(worker, options);
        worker = null;
      }
      worker ??= startWorker(options);
      const { result, isAlive } = await runFile(worker, file, options);
      if (options.signal.aborted) break;
      options.onDone(result);
      if (!isAlive || worker.files >= FILES_PER_WORKER_MAX) {
        await endWorker(worker, options);
        worker = null;
      }
    }
    if (worker) await endWorker(worker, options);
  };
  await Promise.all(Array.from({ length: Math.min(options.workers, files.length) }, work));
}

function startWorker({ root, env, nodeOptions, fileTimeoutMs, signal }: WorkerOptions): Worker {
  const child = fork(WORKER, {
    cwd: root,
    env: { ...env, TEST_FILE_TIMEOUT_MS: String(fileTimeoutMs) },
    execArgv: [`--test-reporter=${REPORTER}`, '--test-reporter-destination=stdout', ...nodeOptions],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const worker: Worker = { child, output: '', files: 0 };
  const keep = (chunk: Buffer): void => {
    worker.output = (worker.output + chunk.toString()).slice(-OUTPUT_MAX);
  };
  child.stdout!.on('data', keep);
  child.stderr!.on('data', keep);
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  child.once('exit', () => signal.removeEventListener('abort', stop));
  return worker;
}

/** By a pattern of names, for example: then some files have no test to run. */
const choosesTests = ({ nodeOptions }: WorkerOptions): boolean => nodeOptions.some((one) => one.startsWith('--test-'));

type Outcome = { readonly result: FileResult; readonly isAlive: boolean };

async function runFile(worker: Worker, file: string, options: WorkerOptions): Promise<Outcome> {
  const { fileTimeoutMs } = options;
  const { child } = worker;
  const startedMs = performance.now();
  const failures: Failure[] = [];
  const notes: string[] = [];
  let passed = 0;
  let skipped = 0;
  let cpuMs = 0;
  worker.output = '';
  worker.files++;
  const { promise: ended, resolve: end } = Promise.withResolvers<string | null>();
  const onMessage = (message: FromWorker): void => {
    if (message.kind === 'passed') message.skipped ? skipped++ : passed++;
    else if (message.kind === 'failed') failures.push(message.failure);
    else if (message.kind === 'note') notes.push(message.text);
    else if (message.kind === 'file-done') {
      cpuMs = message.cpuMs;
      end(null);
    }
  };
  const onExit = (code: number | null, signal: string | null): void =>
    end(`The worker process ended (${signal ?? code}) in the middle of this file.`);
  const timer = setTimeout(() => {
    child.kill('SIGKILL');
    end(`No end after ${(fileTimeoutMs + KILL_AFTER_MS) / 1_000} s; the worker process was killed.`);
  }, fileTimeoutMs + KILL_AFTER_MS);
  child.on('message', onMessage);
  child.once('exit', onExit);
  child.send({ kind: 'run', file } satisfies ToWorker);
  const trouble = await ended;
  clearTimeout(timer);
  child.off('message', onMessage);
  child.off('exit', onExit);
  if (trouble !== null) failures.push({ path: [file], error: `${trouble}\n${worker.output}` });
  else if (failures.length > 0 && worker.output.trim() !== '') notes.push(`output: ${worker.output.trim()}`);
  else if (passed + skipped + failures.length === 0 && !choosesTests(options))
    failures.push({ path: [file], error: 'No test of this file ran.' });
  const durationMs = performance.now() - startedMs;
  return { result: { file, passed, skipped, failures, notes, durationMs, cpuMs }, isAlive: trouble === null };
}

/** Lets a worker close what its files shared. One that does not end has an open handle, which is a failure. */
async function endWorker({ child, output }: Worker, { onDone, signal }: WorkerOptions): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  if (child.connected) child.send({ kind: 'end' } satisfies ToWorker);
  const timer = setTimeout(() => child.kill('SIGKILL'), END_TIMEOUT_MS);
  const [, killedBy] = await exited;
  clearTimeout(timer);
  if (killedBy === null || signal.aborted) return;
  const error = `A worker process did not end within ${END_TIMEOUT_MS / 1_000} s: something is still open.\n${output}`;
  onDone({
    file: 'end of a worker',
    passed: 0,
    skipped: 0,
    notes: [],
    durationMs: 0,
    cpuMs: 0,
    failures: [{ path: [], error }],
  });
}
