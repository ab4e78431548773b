// Two servers on one database for one test, behind HAProxy where it is installed. Without HAProxy the clients of the test
// spread their requests over the healthy servers. Every credit has its own reference, so that the test can find it afterwards.

import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import type pg from 'pg';
import { openPool } from '../../server/src/postgres/connection.ts';
import { type Cluster, openStage, startCluster } from '../../tools/cluster/cluster.ts';
import { urlOf } from '../../tools/cluster/database.ts';
import { startRedis } from '../../tools/cluster/redis.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { startRedisSimulator } from '../support/redis-simulator.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer is read like JavaScript would, and the assertions are the types
type Answer = { status: number; headers: Headers; body: any };
export type Credit = { readonly userId: string; readonly reference: string; readonly idempotencyKey: string };

export type ScaleFixture = {
  readonly cluster: Cluster;
  readonly pool: pg.Pool;
  readonly key: string;
  readonly userIds: readonly string[];
  readonly acknowledged: Credit[];
  newCredit(): Credit;
  /** One attempt. Null when the connection broke before an answer came. */
  send(url: string, credit: Credit): Promise<Answer | null>;
  /** Address for the next request: HAProxy, or else the next healthy server. */
  address(): Promise<string>;
  /** True when every server is healthy, and HAProxy uses it. */
  allIn(): Promise<boolean>;
};

type Ask = { key?: string; body?: unknown; headers?: Record<string, string> };

export const call = async (url: string, request: string, { key, body, headers }: Ask = {}): Promise<Answer> => {
  const [method, path] = request.split(' ') as [string, string];
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
};

/** Creates a record without an Idempotency-Key, so that the stored answers are those of the credits. */
export const make = async (url: string, request: string, ask: Ask) => {
  const answer = await call(url, request, ask);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
};

const USERS = 3;
/** Fewer than the balancer's health checks: they must not be refused by the limit. */
export const RATE_MAX = 100;
const RATE_OF_KEY = 1_000_000;

const isHealthy = ({ url }: { url: string }): Promise<boolean> =>
  call(url, 'GET /health').then(
    ({ status }) => status === 200,
    () => false,
  );

const openRedis = async (t: TestContext): Promise<string> => {
  const stage = stageOf(t);
  const redis = (await startRedis(await stage.folder())) ?? (await startRedisSimulator());
  stage.afterwards(redis.stop);
  return redis.url;
};

const stageOf = (t: TestContext) => {
  const cleanUp = new AsyncDisposableStack();
  afterwards(t, () => cleanUp.disposeAsync());
  return openStage(cleanUp);
};

export const openScaleFixture = async (t: TestContext): Promise<ScaleFixture> => {
  const database = await createDatabase();
  afterwards(t, database.drop);
  const redisUrl = await openRedis(t);
  const stage = stageOf(t);
  const cluster = await startCluster(stage, {
    servers: 2,
    databaseUrl: urlOf(database.connection),
    redisUrl,
    env: { RATE_LIMIT_MAX: String(RATE_MAX) },
  });
  const pool = openPool(database.connection, { max: 2, onError() {} });
  afterwards(t, () => pool.end());

  const { url, masterKey } = cluster;
  const body = { name: 'scale', scopes: ['*'], rateLimit: RATE_OF_KEY };
  const { key } = await make(url, 'POST /auth/api-keys', { key: masterKey, body });
  const userIds: string[] = [];
  for (let n = 0; n < USERS; n++) {
    userIds.push((await make(url, 'POST /users', { key, body: { externalUserId: `user-${n}` } })).id);
  }
  let made = 0;
  let asked = 0;
  return {
    cluster,
    pool,
    key,
    userIds,
    acknowledged: [],
    newCredit: () => ({
      userId: userIds[made++ % USERS]!,
      reference: randomUUID(),
      idempotencyKey: randomUUID(),
    }),
    send: (at, { userId, reference, idempotencyKey }) =>
      call(at, `POST /users/${userId}/balance/credit`, {
        key,
        body: { amount: '0.01', reference },
        headers: { 'idempotency-key': idempotencyKey },
      }).catch(() => null),
    async address() {
      if (cluster.balancer) return cluster.balancer.url;
      const health = await Promise.all(cluster.servers.map(isHealthy));
      const healthy = cluster.servers.filter((_, number) => health[number]);
      return (healthy[asked++ % Math.max(healthy.length, 1)] ?? cluster.servers[0]!).url;
    },
    async allIn() {
      const health = await Promise.all(cluster.servers.map(isHealthy));
      const places = (await cluster.balancer?.readPlaces()) ?? [];
      return health.every(Boolean) && places.every(({ isIn }) => isIn);
    },
  };
};
