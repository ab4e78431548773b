// Several servers on one PostgreSQL, with HAProxy in front where it is installed. A server that ends is started again. The
// servers share a database, their keys, and the Redis that counts requests.

import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort, runService, type Service } from '../drills/server.ts';
import type { Stage } from '../drills/stage.ts';
import { type Balancer, findProgram, startBalancer } from './balancer.ts';

export type Cluster = {
  /** The balancer; without HAProxy the first server. */
  readonly url: string;
  readonly masterKey: string;
  /** Null when HAProxy is not installed: clients then choose a server themselves. */
  readonly balancer: Balancer | null;
  readonly servers: readonly Service[];
};

type ClusterStart = {
  readonly servers: number;
  /** Port of the balancer, or of the first server when there is none. Any free port when left out. */
  readonly port?: number;
  readonly databaseUrl: string;
  /** Without Redis each server counts requests separately. */
  readonly redisUrl?: string | null;
  readonly env?: Readonly<Record<string, string>>;
};

/** Removes its folders and stops its programs at the end, in reverse order. */
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

/** The keys that all servers must share: otherwise a token or a wallet of one server is useless at the others. */
const sharedKeys = () => ({
  MASTER_KEY: `master_${randomBytes(24).toString('hex')}`,
  JWT_SECRET: randomBytes(32).toString('hex'),
  WALLET_KEK: `1:${randomBytes(32).toString('base64')}`,
});

export const startCluster = async (stage: Stage, start: ClusterStart): Promise<Cluster> => {
  const keys = sharedKeys();
  const env = {
    DATABASE_URL: start.databaseUrl,
    // One proxy is in front: the caller's address is the one that the proxy names.
    TRUST_PROXY: '1',
    ...(start.redisUrl ? { REDIS_URL: start.redisUrl } : {}),
    ...start.env,
    ...keys,
  };
  const port = start.port ?? (await freePort());
  const hasBalancer = (await findProgram('haproxy')) !== null;
  const startServer = async (number: number): Promise<Service> => {
    const own = hasBalancer || number > 0 ? {} : { port };
    return runService(stage, { dataDir: await stage.folder(), env, ...own });
  };
  const servers = await Promise.all(Array.from({ length: start.servers }, (_, number) => startServer(number)));
  // All servers at the same time: each one first finishes its requests and waits for the balancer.
  stage.afterwards(() => Promise.all(servers.map((server) => server.stop())));
  const serverPorts = servers.map(({ url }) => Number(new URL(url).port));
  const balancer = await startBalancer({ port, serverPorts, folder: await stage.folder() });
  if (balancer) stage.afterwards(balancer.stop);
  return { url: balancer?.url ?? servers[0]!.url, masterKey: keys.MASTER_KEY, balancer, servers };
};
