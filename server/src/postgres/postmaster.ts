// The process of the embedded PostgreSQL: starts it, waits until it answers, and stops it. A recovery after a crash may take long, so
// there is no time limit while the process is running. Never signals a process that is not the PostgreSQL of this folder.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Account, runAs } from './account.ts';
import { type Settings, toArguments } from './settings.ts';

export type Connection = { host: string; port: number; user: string; database: string; ssl: false };
export type Exit = { code: number | null; signal: NodeJS.Signals | null };
type Postmaster = { pid: number; exited: Promise<Exit>; hasEnded(): boolean; stop(): Promise<Exit> };

const POLL_MS = 10;
const REPORT_MS = 10_000;
const LEFTOVER_MS = 10_000;
const TAIL_BYTES = 4096;
const FAST_SHUTDOWN_MS = 30_000;

type Start = {
  program: string;
  account: Account;
  cluster: string;
  pgdata: string;
  settings: Settings | undefined;
  logFile: string;
  connection: Connection;
  log(line: string): void;
};

// Backends of a killed PostgreSQL need a moment to end. Until then a new PostgreSQL refuses the folder.
export async function startPostmaster(options: Start): Promise<Postmaster> {
  const patience = Date.now() + LEFTOVER_MS;
  for (;;) {
    const started = await launch(options);
    if (typeof started === 'object') return started;
    if (!started.includes('is still in use') || Date.now() > patience) {
      throw new Error(`PostgreSQL did not start: ${started} (its log: ${options.logFile})`);
    }
    await pause(POLL_MS);
  }
}

async function launch({ program, account, cluster, connection, log, ...options }: Start): Promise<Postmaster | string> {
  const output = openSync(options.logFile, 'a+', 0o600);
  try {
    const logStart = fstatSync(output).size;
    const args = ['-D', options.pgdata, ...toArguments(options.settings), '-c', markOf(cluster)];
    // In a session of its own: Ctrl-C in the terminal must not stop PostgreSQL while requests are still processed.
    const child = spawn(program, args, {
      ...runAs(account, cluster),
      detached: true,
      stdio: ['ignore', output, output],
    });
    await once(child, 'spawn');
    const exited: Promise<Exit> = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
    const stopWithUs = () => child.kill('SIGINT');
    process.once('exit', stopWithUs);
    void exited.then(() => process.off('exit', stopWithUs));

    if (!(await answers({ child, connection, log }))) return readTail(output, logStart);
    const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
    return { pid: child.pid!, exited, hasEnded, stop: () => stop(child, exited) };
  } finally {
    closeSync(output);
  }
}

async function answers(options: { child: ChildProcess; connection: Connection; log(line: string): void }) {
  const { child, connection, log } = options;
  let reportAt = Date.now() + REPORT_MS;
  while (child.exitCode === null && child.signalCode === null) {
    const client = new pg.Client(connection);
    // The query or the end reports the same error. Without a listener it would end the process.
    client.on('error', () => {});
    const connected = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    if (connected) return true;
    if (Date.now() > reportAt) {
      log('PostgreSQL is still starting; after a crash it first replays its log');
      reportAt += REPORT_MS;
    }
    await pause(POLL_MS);
  }
  return false;
}

// A "fast" shutdown ends sessions and writes all data. After its timeout an immediate shutdown is still safe: the next start recovers.
async function stop(child: ChildProcess, exited: Promise<Exit>): Promise<Exit> {
  child.kill('SIGINT');
  const impatience = setTimeout(() => child.kill('SIGQUIT'), FAST_SHUTDOWN_MS);
  return exited.finally(() => clearTimeout(impatience));
}

function readTail(file: number, start: number): string {
  const buffer = Buffer.alloc(TAIL_BYTES);
  const position = Math.max(start, fstatSync(file).size - TAIL_BYTES);
  return buffer.toString('utf8', 0, readSync(file, buffer, { position })).trim();
}

const run = promisify(execFile);

// The last argument of every PostgreSQL that we start. Its folder argument does not identify it, because it may be /proc/self/cwd.
const markOf = (cluster: string) => `holdfast.cluster=${cluster}`;

/**
 * Stops a PostgreSQL that keeps running after its Holdfast was killed. It is found by its pid file and recognised by its command line.
 */
export async function stopOrphan(cluster: string, log: (line: string) => void): Promise<void> {
  const pidFile = path.join(cluster, 'postmaster.pid');
  const content = await readFile(pidFile, 'utf8').catch(() => '');
  const pid = Number.parseInt(content, 10);
  if (!(pid > 0) || !signal(pid, 0)) return;

  const isOurs = async () => (await commandLineOf(pid)).endsWith(markOf(cluster));
  if (!(await isOurs())) {
    // Another program has that process id now, and PostgreSQL would refuse to start. PostgreSQL treats the id of its parent as stale.
    // Then it still checks that no backend of the old server is left, which it would not do without the file.
    await writeFile(pidFile, content.replace(/^\d+/, String(process.pid)));
    return;
  }
  log(`Stopping the PostgreSQL (process ${pid}) that an earlier server left running`);
  const patience = Date.now() + FAST_SHUTDOWN_MS;
  signal(pid, 'SIGINT');
  while (await isOurs()) {
    if (Date.now() > patience) signal(pid, 'SIGQUIT');
    await pause(POLL_MS);
  }
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function commandLineOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const args = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''); // Empty for a process that has ended.
    return args.replace(/\0$/, '');
  }
  return run('ps', ['-o', 'args=', '-p', String(pid)]).then(
    ({ stdout }) => stdout.trimEnd(),
    () => '',
  );
}
