// Two servers on one database for one test, with every kind of balancer this machine has in front of both; and clients whose
// every credit can be told apart afterwards.

import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import type pg from 'pg';
import { openPool } from '../../server/src/postgres/connection.ts';
import { type Balancer, findProgram } from '../../tools/cluster/balancer.ts';
import { type Cluster, openStage, startCluster } from '../../tools/cluster/cluster.ts';
import { urlOf } from '../../tools/cluster/database.ts';
import { startOwnBalancer } from '../../tools/cluster/own-balancer.ts';
import { startRedis } from '../../tools/cluster/redis.ts';
import { freePort } from '../../tools/drills/server.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { startRedisSimulator } from '../support/redis-simulator.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer is read like JavaScript would, and the assertions are the types
type Answer = { status: number; headers: Headers; body: any };
export type Credit = { readonly userId: string; readonly reference: string; readonly idempotencyKey: string };

export type ScaleFixture = {
  readonly cluster: Cluster;
  /** Our own, and HAProxy where it is installed. */
  readonly balancers: readonly Balancer[];
  readonly pool: pg.Pool;
  readonly key: string;
  readonly userIds: readonly string[];
  readonly acknowledged: Credit[];
  newCredit(): Credit;
  /** One attempt. Null when the connection broke before an answer came. */
  send(url: string, credit: Credit): Promise<Answer | null>;
  /** When every balancer has every server in. */
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

/** One that is not kept, so that the kept answers are those of the credits. */
export const make = async (url: string, request: string, ask: Ask) => {
  const answer = await call(url, request, ask);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
};

const USERS = 3;
/** So few that the balancers' own looks are more: they must not be refused for it. */
export const RATE_MAX = 100;
const RATE_OF_KEY = 1_000_000;

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
  const balancers = [cluster.balancer];
  if (await findProgram('haproxy')) {
    const serverPorts = cluster.servers.map(({ url }) => Number(new URL(url).port));
    const own = await startOwnBalancer({ port: await freePort(), serverPorts, folder: '' });
    stage.afterwards(own.stop);
    balancers.push(own);
  }
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
  return {
    cluster,
    balancers,
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
    async allIn() {
      const seen = await Promise.all(balancers.map((balancer) => balancer.look()));
      return seen.flat().every(({ isIn }) => isIn);
    },
  };
};
