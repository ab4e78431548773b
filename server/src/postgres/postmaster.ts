// The running PostgreSQL process: started, waited for until it answers, and stopped. Never gives up on a long recovery
// after a crash: as long as the process lives, it is waited for.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type Account, runAs } from './account.ts';
import { markOf } from './orphan.ts';
import { type Settings, toArguments } from './settings.ts';

export type Connection = { host: string; port: number; user: string; database: string; ssl: false };
export type Exit = { code: number | null; signal: NodeJS.Signals | null };
export type Postmaster = { pid: number; exited: Promise<Exit>; stop(): Promise<Exit> };

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
    return { pid: child.pid!, exited, stop: () => stop(child, exited) };
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
