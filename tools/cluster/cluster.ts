// Several servers on one PostgreSQL with a load balancer in front, each server started again whenever it ends. Nothing else
// is special about them: they share a database, their keys, and the Redis that counts requests.

import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort, runService, type Service } from '../drills/server.ts';
import type { Stage } from '../drills/stage.ts';
import { type Balancer, startBalancer } from './balancer.ts';

export type Cluster = {
  readonly url: string;
  readonly masterKey: string;
  readonly balancer: Balancer;
  readonly servers: readonly Service[];
};

export type ClusterStart = {
  readonly servers: number;
  /** Of the balancer; any free one when left out. */
  readonly port?: number;
  readonly databaseUrl: string;
  /** Without it each server counts for itself. */
  readonly redisUrl?: string | null;
  readonly env?: Readonly<Record<string, string>>;
  /** Never HAProxy, also where it is installed. */
  readonly ownBalancer?: boolean;
};

/** Folders and programs that are gone afterwards, last thing first. */
export const openStage = (cleanUp: AsyncDisposableStack): Stage => ({
  say() {},
  found() {},
  afterwards: (putAway) =>
    cleanUp.defer(async () => {
      await putAway();
    }),
  async folder() {
    const folder = await mkdtemp(path.join(await realpath(os.tmpdir()), 'holdfast-scale-'));
    await chmod(folder, 0o711);
    cleanUp.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
    return folder;
  },
});

/** What all of them must have in common, or a token of one and a wallet of one would be worth nothing at the others. */
const sharedKeys = () => ({
  MASTER_KEY: `master_${randomBytes(24).toString('hex')}`,
  JWT_SECRET: randomBytes(32).toString('hex'),
  WALLET_KEK: `1:${randomBytes(32).toString('base64')}`,
});

export const startCluster = async (stage: Stage, start: ClusterStart): Promise<Cluster> => {
  const keys = sharedKeys();
  const env = {
    DATABASE_URL: start.databaseUrl,
    // One proxy is in front; whoever it names is the caller.
    TRUST_PROXY: '1',
    ...(start.redisUrl ? { REDIS_URL: start.redisUrl } : {}),
    ...start.env,
    ...keys,
  };
  const servers = await Promise.all(
    Array.from({ length: start.servers }, async () => runService(stage, { dataDir: await stage.folder(), env })),
  );
  // All at once: each waits for its requests and for the balancer first.
  stage.afterwards(() => Promise.all(servers.map((server) => server.stop())));
  const balancer = await startBalancer(
    {
      port: start.port ?? (await freePort()),
      serverPorts: servers.map(({ url }) => Number(new URL(url).port)),
      folder: await stage.folder(),
    },
    { own: start.ownBalancer ?? false },
  );
  stage.afterwards(balancer.stop);
  return { url: balancer.url, masterKey: keys.MASTER_KEY, balancer, servers };
};
