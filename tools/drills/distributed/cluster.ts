// A coordinator and two workers with a distributed database, one server on it, and marketplaces at work on both workers.

import { Holdfast } from '@holdfast/sdk';
import pg from 'pg';
import { migrate } from '../../../server/src/commit/migrate.ts';
import { runDistribute } from '../../../server/src/programs/distribute/run.ts';
import { DATABASE, type Node, type Nodes, startNodes } from '../../distributed/nodes.ts';
import { findPrograms } from '../../distributed/programs.ts';
import type { Listeners } from '../../simulation/listeners.ts';
import { freePort, runService, type Service } from '../server.ts';
import { notPlayed, type Stage } from '../stage.ts';
import { openShop, type Shop, shopsProgress } from './shops.ts';
import { openReaders } from './shops-proof.ts';

/** More than marketplaces, so that each has a shard of its own. */
const SHARDS = 8;
const WORKERS = 2;
const SHOPS_PER_WORKER = 2;
/** The server keeps rows of the whole service in this one, such as whether payments are held. It is on the coordinator. */
const SERVICE_MARKETPLACE = 'mkt_default';
const CREDITS_MIN = 20;

export type ClusterStage = {
  readonly nodes: Nodes;
  readonly service: Service;
  /** To the coordinator, for the drill itself. */
  readonly pool: pg.Pool;
  readonly shops: readonly Shop[];
  readonly readers: Listeners;
  /** Where the simulators of the outside systems are controlled. */
  readonly controlUrl: string;
  /** The worker that has a marketplace now, or the coordinator. */
  workerOf(marketplaceId: string): Promise<Node>;
};

const openNodes = async (stage: Stage): Promise<Nodes> => {
  const programs = await findPrograms();
  if (programs === null) throw notPlayed('no PostgreSQL with Citus is installed', null);
  const settings = { shared_buffers: '48MB', max_connections: 200, max_prepared_transactions: 200 };
  const nodes = await startNodes({ programs, folder: await stage.folder(), workers: WORKERS, settings });
  stage.afterwards(nodes.stop);
  stage.say(`A coordinator and ${WORKERS} workers run: ${programs.version}`);
  return nodes;
};

const openDatabase = async (stage: Stage, nodes: Nodes): Promise<pg.Pool> => {
  const { connection } = nodes.coordinator;
  const pool = new pg.Pool({ ...connection, max: 2 });
  pool.on('error', () => {});
  stage.afterwards(() => pool.end());
  await migrate({ pool });
  const outcome = await runDistribute({ connection, shards: SHARDS, confirm: async () => true, say: () => {} });
  if (outcome.kind !== 'done') throw new Error(`The database was not distributed: ${JSON.stringify(outcome)}`);
  stage.say(`${outcome.distributed.length} tables are distributed`);
  return pool;
};

// From the catalogue of the coordinator, so that it needs no worker.
const HOST_OF = `select n.nodename as host from pg_dist_placement p join pg_dist_node n using (groupid)
  where p.shardid = get_shard_id_for_distribution_column('marketplaces', $1::text) and n.noderole = 'primary'`;

type Started = { readonly service: Service; readonly controlUrl: string };

const startServer = async (stage: Stage, { coordinator }: Nodes): Promise<Started> => {
  const sandboxPort = await freePort();
  const host = encodeURIComponent(coordinator.connection.host);
  const env = {
    DATABASE_URL: `postgres:///${DATABASE}?host=${host}&user=${coordinator.connection.user}&port=5432`,
    SANDBOX: 'on',
    SANDBOX_PORT: String(sandboxPort),
    ESCROW_PROVIDER_RATE_PER_MINUTE: '0',
    LEDGER_RATE_PER_MINUTE: '0',
    PROVIDER_TIMEOUT_MS: '2000',
    OPERATION_WAIT_MS: '3000',
  };
  const service = await runService(stage, { dataDir: await stage.folder(), env });
  return { service, controlUrl: `http://127.0.0.1:${sandboxPort}/control` };
};

type Finder = ClusterStage['workerOf'];

/** Names of marketplaces, so many of each worker. */
const chooseNames = async (nodes: Nodes, workerOf: Finder): Promise<string[]> => {
  const names: string[] = [];
  const taken = new Map<Node, number>();
  for (let n = 1; names.length < nodes.workers.length * SHOPS_PER_WORKER; n++) {
    const name = `mkt_shop-${n}`;
    const worker = await workerOf(name);
    const count = taken.get(worker) ?? 0;
    if (count === SHOPS_PER_WORKER) continue;
    taken.set(worker, count + 1);
    names.push(name);
  }
  return names;
};

export const openCluster = async (stage: Stage): Promise<ClusterStage> => {
  const nodes = await openNodes(stage);
  const pool = await openDatabase(stage, nodes);
  const workerOf: Finder = async (marketplaceId) => {
    const { host } = (await pool.query<{ host: string }>(HOST_OF, [marketplaceId])).rows[0]!;
    return [nodes.coordinator, ...nodes.workers].find(({ connection }) => connection.host === host)!;
  };
  const { service, controlUrl } = await startServer(stage, nodes);
  const master = new Holdfast({ url: service.url, apiKey: service.masterKey });
  const shops: Shop[] = [];
  for (const marketplaceId of await chooseNames(nodes, workerOf)) {
    const { key } = await master.keys.create({ name: 'drill', scopes: ['*'], marketplaceId });
    shops.push(await openShop(stage, { marketplaceId, url: service.url, apiKey: key }));
  }
  const readers = openReaders(stage, shops);
  await shopsProgress(shops, CREDITS_MIN);
  for (const { marketplaceId } of shops) stage.say(`${marketplaceId} is on ${(await workerOf(marketplaceId)).name}`);
  stage.say(`${SERVICE_MARKETPLACE} is on ${(await workerOf(SERVICE_MARKETPLACE)).name}`);
  return { nodes, service, controlUrl, pool, shops, readers, workerOf };
};

/** The marketplaces of a worker, and all others. */
export const shopsBy = async ({ shops, workerOf }: ClusterStage, worker: Node) => {
  const ofWorker: Shop[] = [];
  for (const shop of shops) if ((await workerOf(shop.marketplaceId)) === worker) ofWorker.push(shop);
  return { ofWorker, others: shops.filter((shop) => !ofWorker.includes(shop)) };
};
