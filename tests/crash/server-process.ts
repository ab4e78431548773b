// The real server as a process of its own, started as an operator starts it, and killed as a power cut would.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type pg from 'pg';
import { clusterFolder } from '../../server/src/postgres/cluster.ts';
import { stopOrphan } from '../../server/src/postgres/orphan.ts';
import { openPool } from '../../server/src/store/connection.ts';
import { until } from '../committer/bend.ts';
import { afterwards } from '../support/afterwards.ts';

const MAIN = path.resolve(import.meta.dirname, '../../server/src/main.ts');

export const MASTER_KEY = 'master_of-the-processes-0123456789abcdef';
const JWT_SECRET = 'a-secret-of-the-processes-0123456789abcdef';

export type ServerProcess = {
  readonly url: string;
  readonly pid: number;
  /** Settles when the process has ended, asked to or not. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** What it wrote so far, to both outputs. */
  said(): string;
  kill(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

const environment = (dataDir: string, env: Record<string, string>) => ({
  PATH: process.env.PATH,
  // Without the twins: several servers run at once, and what is tested is the server itself.
  SANDBOX: 'off',
  TMPDIR: process.env.TMPDIR,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  DATA_DIR: dataDir,
  PORT: '0',
  LOG_LEVEL: 'fatal',
  MASTER_KEY,
  JWT_SECRET,
  RATE_LIMIT_MAX: '1000000',
  ...env,
});

export const startServer = async (
  t: TestContext,
  { dataDir, env = {} }: { dataDir: string; env?: Record<string, string> },
): Promise<ServerProcess> => {
  const child: ChildProcess = spawn(process.execPath, [MAIN], {
    env: environment(dataDir, env),
    cwd: dataDir,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const output of [child.stdout!, child.stderr!]) output.on('data', (chunk) => (said += chunk));
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  const kill: ServerProcess['kill'] = (signal) => {
    child.kill(signal);
    return exited;
  };
  afterwards(t, async () => {
    await kill('SIGKILL');
    // The PostgreSQL of a killed server runs on; a test must not leave it behind.
    await stopOrphan(clusterFolder(dataDir), () => {});
  });

  let url: string | undefined;
  let ended = false;
  void exited.then(() => {
    ended = true;
  });
  await until(() => {
    url = /API\s+(http:\S+)\/api\/v1/.exec(said)?.[1];
    return url !== undefined || ended;
  }, 'the server is ready');
  if (url === undefined) throw new Error(`the server did not start: ${said}`);
  return { url, pid: child.pid!, exited, said: () => said, kill };
};

/** Straight into the embedded database of a running server. */
export const openEmbedded = (t: TestContext, dataDir: string): pg.Pool => {
  const host = path.join(dataDir, 'postgres');
  const pool = openPool({ host, port: 5432, user: 'holdfast', database: 'holdfast' }, { max: 2, onError() {} });
  afterwards(t, () => pool.end());
  return pool;
};

export type Answer = { status: number; replayed: boolean; text: string };

/** Null when the connection broke before an answer came. */
export const post = async (
  url: string,
  ask: { path: string; key: string; body: unknown; idempotencyKey?: string },
): Promise<Answer | null> => {
  try {
    const response = await fetch(`${url}/api/v1${ask.path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ask.key}`,
        'content-type': 'application/json',
        ...(ask.idempotencyKey ? { 'idempotency-key': ask.idempotencyKey } : {}),
      },
      body: JSON.stringify(ask.body),
    });
    const replayed = response.headers.get('idempotency-replay') === 'true';
    return { status: response.status, replayed, text: await response.text() };
  } catch {
    return null;
  }
};

const dataOf = (answer: Answer | null) => {
  if (answer === null || answer.status >= 300) throw new Error(`refused: ${answer?.text}`);
  return JSON.parse(answer.text).data;
};

export const newKey = async (url: string): Promise<string> =>
  dataOf(await post(url, { path: '/auth/api-keys', key: MASTER_KEY, body: { name: 'crash', scopes: ['*'] } })).key;

export const newUser = async (url: string, of: { key: string; externalUserId: string }): Promise<string> =>
  dataOf(await post(url, { path: '/users', key: of.key, body: { externalUserId: of.externalUserId } })).id;

/** Numbers from 0 to 1 that are the same in every run. */
export const seeded = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let x = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
  return ((x ^ (x >>> 14)) >>> 0) / 4_294_967_296;
};
