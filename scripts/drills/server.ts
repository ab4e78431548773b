// The server as a service manager runs it: a process of its own at one address, started again whenever it ends. Nobody
// lends it a hand: what a drill calls recovery has happened by these means alone.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { clusterFolder } from '../../server/src/postgres/cluster.ts';
import { stopOrphan } from '../../server/src/postgres/orphan.ts';
import { type Stage, until } from './stage.ts';

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type Service = {
  readonly url: string;
  readonly dataDir: string;
  readonly masterKey: string;
  /** Of the process that runs now. */
  pid(): number;
  /** How it ended, each time that it did. */
  readonly exits: readonly Exit[];
  kill(signal: NodeJS.Signals): Promise<void>;
  /** When the one that runs now has said that it is ready. */
  ready(): Promise<void>;
  stop(): Promise<void>;
};

const MAIN = path.resolve(import.meta.dirname, '../../server/src/main.ts');
const MASTER_KEY = 'master_of-the-drills-0123456789abcdef';
/** Like RestartSec of deploy/holdfast.service, only shorter. */
const RESTART_MS = 200;

export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
};

/** The PostgreSQL that a server started in its data folder; null when there is none. */
export const postgresPid = async (dataDir: string): Promise<number | null> => {
  const text = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  return Number.parseInt(text, 10) || null;
};

export const runService = async (
  stage: Stage,
  { dataDir, env = {} }: { dataDir: string; env?: Record<string, string> },
): Promise<Service> => {
  const port = await freePort();
  const log = createWriteStream(path.join(await stage.folder(), 'server.log'));
  const exits: Exit[] = [];
  let child: ChildProcess;
  let isReady = false;
  let stopping = false;
  let ended: Promise<void> = Promise.resolve();

  const start = (): void => {
    isReady = false;
    child = spawn(process.execPath, [MAIN], {
      cwd: dataDir,
      // Only these: a setting of whoever drills must not change what is drilled.
      env: {
        ...{ PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
        ...{ SANDBOX: 'off', LOG_LEVEL: 'warn', RATE_LIMIT_MAX: '1000000', MASTER_KEY },
        ...{ DATA_DIR: dataDir, PORT: String(port), ...env },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const output of [child.stdout!, child.stderr!]) {
      output.on('data', (chunk) => {
        log.write(chunk);
        if (String(chunk).includes('Holdfast is ready')) isReady = true;
      });
    }
    ended = once(child, 'exit').then(async ([code, signal]) => {
      isReady = false;
      exits.push({ code, signal });
      if (stopping) return;
      await pause(RESTART_MS);
      if (!stopping) start();
    });
  };
  start();

  const stop = async (): Promise<void> => {
    stopping = true;
    child.kill('SIGTERM');
    await ended;
    // One that a killed server left running: a drill leaves nothing behind.
    await stopOrphan(clusterFolder(dataDir), () => {});
    log.end();
  };
  stage.afterwards(stop);
  const service: Service = {
    ...{ url: `http://127.0.0.1:${port}`, dataDir, masterKey: MASTER_KEY, exits, stop },
    pid: () => child.pid!,
    async kill(signal) {
      const before = exits.length;
      child.kill(signal);
      await until(() => exits.length > before, `the server ended by ${signal}`);
    },
    ready: () => until(() => isReady, 'the server is ready'),
  };
  await service.ready();
  return service;
};
