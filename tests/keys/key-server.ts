// An HTTP server with the key routes and a real database, committer and authenticator. Tests can advance its clock and read
// its log.

import { MONEY_SCOPES } from '@holdfast/contract/scopes.ts';
import type pg from 'pg';
import { pino } from 'pino';
import { systemClock } from '../../server/src/base/instant.ts';
import { createCommitter } from '../../server/src/commit/committer.ts';
import { createReactions } from '../../server/src/commit/reactions.ts';
import { createFindAnswer } from '../../server/src/commit/stored-answers.ts';
import { buildApp } from '../../server/src/http/app.ts';
import { memoryLimiter } from '../../server/src/http/rate-limit.ts';
import { createAuthenticator } from '../../server/src/modules/api-keys/authenticator.ts';
import { createDevelopmentKeys } from '../../server/src/modules/api-keys/development-keys.ts';
import { createApiKeyReads } from '../../server/src/modules/api-keys/queries.ts';
import { keyRoutes } from '../../server/src/modules/api-keys/routes.ts';
import { createTokens } from '../../server/src/modules/api-keys/tokens.ts';
import { createUseRecorder, saveApiKeyUses } from '../../server/src/modules/api-keys/use-recorder.ts';
import { openLane, openPool } from '../../server/src/postgres/connection.ts';
import { TABLES } from '../../server/src/registry.ts';
import { createDatabase } from '../../tools/test-database/database.ts';

export const MASTER = 'master_of-the-tests-0123456789abcdef';
export const JWT_SECRET = 'a-secret-of-the-tests-0123456789abcdef';

// biome-ignore lint/suspicious/noExplicitAny: an answer is read like JavaScript would, and the assertions are the types
type Answer = { status: number; headers: Headers; body: any; text: string };
type Asking = { key?: string; body?: unknown; headers?: Record<string, string> };

export type KeyServer = Awaited<ReturnType<typeof openKeyServer>>;

type Surroundings = {
  readonly connection: pg.PoolConfig;
  readonly clock: typeof systemClock;
  readonly jwtSecrets: string[];
  onTrouble(message: string, error: unknown): void;
};

/** The parts of a server that keys need, wired as in production. */
const openParts = ({ connection, clock, jwtSecrets, onTrouble }: Surroundings) => {
  const pool = openPool(connection, { max: 4, onError: (error) => onTrouble('pool', error) });
  const keys = createApiKeyReads(pool);
  const reactions = createReactions(onTrouble);
  const committer = createCommitter({
    reactions,
    tables: TABLES,
    connect: () => openLane(connection),
    clock,
    lanes: 2,
    queueMax: 100,
    groupMax: 50,
    patienceMs: 5_000,
    onEvents() {},
    onTrouble,
  });
  const uses = createUseRecorder({
    save: (batch) => saveApiKeyUses(pool, batch),
    clock,
    intervalMs: 60_000,
    onTrouble,
  });
  const tokens = createTokens({ jwtSecrets, ttlMs: 3_600_000, clock });
  let reads = 0;
  const guard = createAuthenticator({
    masterKey: MASTER,
    tokens,
    clock,
    findKey: (marketplaceId, keyId) => {
      reads++;
      return keys.find(marketplaceId, keyId);
    },
    onUse: uses.note,
  });
  reactions.on('api-key-changed', ({ keyId }) => guard.forget([keyId]));
  return { pool, keys, committer, uses, tokens, guard, readCount: () => reads };
};

const askerOf =
  (url: string) =>
  async (method: string, path: string, { key, body, headers = {} }: Asking = {}): Promise<Answer> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  };

/** A key created through the API; `id` and `key`. */
const keyMakerOf =
  (ask: ReturnType<typeof askerOf>) =>
  async (body: Record<string, unknown> = {}): Promise<{ id: string; key: string }> => {
    const answer = await ask('POST', '/auth/api-keys', {
      key: MASTER,
      body: { name: 'A key', scopes: ['read', 'write'], ...body },
    });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body.data;
  };

export const openKeyServer = async (
  options: { connection?: pg.PoolConfig; jwtSecrets?: string[]; overlapMs?: number } = {},
) => {
  const database = options.connection ? null : await createDatabase();
  const connection = options.connection ?? database!.connection;
  let aheadMicros = 0;
  const clock = () => systemClock() + aheadMicros;
  const logs: string[] = [];
  const troubles: unknown[] = [];
  const onTrouble = (message: string, error: unknown) => void troubles.push(message, error);

  const { pool, keys, committer, uses, tokens, guard, readCount } = openParts({
    connection,
    clock,
    onTrouble,
    jwtSecrets: options.jwtSecrets ?? [JWT_SECRET],
  });
  const { submit } = committer;
  const app = await buildApp({
    routes: keyRoutes({
      writeIncludes: MONEY_SCOPES,
      keys,
      tokens,
      rotationOverlapMs: options.overlapMs ?? 86_400_000,
      clock,
      lastUse: uses.lastUse,
    }),
    submit,
    findAnswer: createFindAnswer(pool),
    authenticate: guard.authenticate,
    limiter: memoryLimiter({ windowMs: 60_000, now: Date.now }),
    rateLimit: { max: 10_000, windowMs: 60_000 },
    logger: pino({ level: 'trace' }, { write: (line) => void logs.push(line) }),
    bodyLimitBytes: 64 * 1024,
    trustProxy: false,
    corsOrigins: [],
    idempotencyRetentionHours: 24,
    shutdownGraceMs: 5_000,
    version: '0.1.0',
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });

  const ask = askerOf(url);

  return {
    pool,
    connection,
    guard,
    tokens,
    logs,
    troubles,
    ask,
    clock,
    uses,
    developmentKeys: createDevelopmentKeys({
      submit,
      clock,
      findKey: keys.find,
      listActive: keys.listActiveDevelopment,
    }),
    get reads() {
      return readCount();
    },
    advance(ms: number): void {
      aheadMicros += ms * 1_000;
    },
    makeKey: keyMakerOf(ask),
    async statusOf(key: string): Promise<number> {
      return (await ask('GET', '/auth/me', { key })).status;
    },
    async close(): Promise<void> {
      await app.close();
      await committer.close();
      await uses.close();
      await pool.end();
      await database?.drop();
    },
  };
};
