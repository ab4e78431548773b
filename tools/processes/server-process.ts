// The real server as a process of its own, started as an operator starts it, and killed as a power cut would.

import path from 'node:path';
import type { TestContext } from 'node:test';
import type pg from 'pg';
import { clusterFolder } from '../../server/src/postgres/cluster.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { stopOrphan } from '../../server/src/postgres/postmaster.ts';
import { afterwards } from '../test-database/afterwards.ts';
import { httpRequest } from './http-request.ts';
import { type LoneProcess, startLoneProcess } from './lone-process.ts';

const MAIN = path.resolve(import.meta.dirname, '../../server/src/main.ts');

export const MASTER_KEY = 'master_of-the-processes-0123456789abcdef';
const JWT_SECRET = 'a-secret-of-the-processes-0123456789abcdef';

export type ServerProcess = Pick<LoneProcess, 'child' | 'pid' | 'exited' | 'said' | 'kill'> & { readonly url: string };

const settingsOf = (dataDir: string) => ({
  // Without the simulators: several servers run at once, and what is tested is the server itself.
  SANDBOX: 'off',
  DATA_DIR: dataDir,
  PORT: '0',
  LOG_LEVEL: 'fatal',
  MASTER_KEY,
  JWT_SECRET,
  RATE_LIMIT_MAX: '1000000',
});

export const startServer = async (
  t: TestContext,
  { dataDir, env = {} }: { dataDir: string; env?: Record<string, string> },
): Promise<ServerProcess> => {
  const life = startLoneProcess({ file: MAIN, folder: dataDir, env: { ...settingsOf(dataDir), ...env } });
  afterwards(t, async () => {
    await life.kill('SIGKILL');
    // The PostgreSQL of a killed server runs on; a test must not leave it behind.
    await stopOrphan(clusterFolder(dataDir), () => {});
  });
  return { ...life, url: await life.hear(/API\s+(http:\S+)\/api\/v1/) };
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
    const { status, headers, text } = await httpRequest(`${url}/api/v1${ask.path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ask.key}`,
        'content-type': 'application/json',
        ...(ask.idempotencyKey ? { 'idempotency-key': ask.idempotencyKey } : {}),
      },
      body: JSON.stringify(ask.body),
    });
    return { status, replayed: headers.get('idempotency-replay') === 'true', text };
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
