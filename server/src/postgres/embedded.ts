// The embedded PostgreSQL of a server without DATABASE_URL. It is created in the data folder at the first start, stopped with the
// server, and recovered after any crash. It never opens a network port, never runs as root and never shares its folder.

import { mkdir, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { prepareBinaries } from './binaries.ts';
import { accountOf, checkVersion, clusterFolder, createCluster, DATABASE, pathFor } from './cluster.ts';
import { lockFolder } from './folder-lock.ts';
import { type Connection, type Exit, startPostmaster, stopOrphan } from './postmaster.ts';
import { PORT, type Settings, shortenSocketFolder } from './settings.ts';
import { createTemporaryFolder, removeOrphans } from './temporary-folder.ts';

export type EmbeddedOptions = {
  dataDir: string;
  log(line: string): void;
  settings?: Settings;
  packageDir?: string;
};

// `connection` is for pg's Pool and Client. `exited` settles when PostgreSQL ends for any reason.
export type EmbeddedPostgres = {
  connection: Connection;
  pid: number;
  exited: Promise<Exit>;
  hasEnded(): boolean;
  stop(): Promise<void>;
};

const LOG_BYTES_MAX = 16 * 1024 * 1024;

export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o711 });
  const dataDir = await realpath(options.dataDir);
  const cleanUp = new AsyncDisposableStack();
  const lock = lockFolder(dataDir);
  cleanUp.defer(() => lock.release());
  try {
    const running = await start({ ...options, dataDir }, cleanUp);
    let stopping: Promise<void> | undefined;
    const stop = async () => {
      await running.stop();
      await cleanUp.disposeAsync();
    };
    return { ...running, stop: () => (stopping ??= stop()) };
  } catch (error) {
    await cleanUp.disposeAsync();
    throw error;
  }
}

async function start({ dataDir, log, settings, packageDir }: EmbeddedOptions, cleanUp: AsyncDisposableStack) {
  const cluster = clusterFolder(dataDir);
  const account = await accountOf(cluster);
  await stopOrphan(cluster, log);
  const binaries = await prepareBinaries({ account, dataDir, packageDir });
  cleanUp.defer(async () => {
    if (binaries.copy !== null) await rm(binaries.copy, { recursive: true, force: true });
  });

  if ((await sizeOf(cluster)) === null) {
    log(`Preparing PostgreSQL ${binaries.major} in ${cluster}`);
    await createCluster({ cluster, account, binaries });
  }
  await checkVersion(cluster, binaries.major);

  const socket = await shortenSocketFolder(cluster);
  cleanUp.defer(socket.remove);
  const logFile = path.join(dataDir, 'postgres.log');
  if (((await sizeOf(logFile)) ?? 0) > LOG_BYTES_MAX) await rename(logFile, `${logFile}.old`);

  const connection: Connection = { host: socket.host, port: PORT, user: DATABASE, database: DATABASE, ssl: false };
  const program = binaries.postgres;
  const pgdata = await pathFor(account, cluster);
  const postmaster = await startPostmaster({ program, account, cluster, pgdata, settings, logFile, connection, log });
  return { ...postmaster, connection };
}

async function sizeOf(file: string): Promise<number | null> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return found?.size ?? null;
}

const CARELESS: Settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' };

/**
 * An embedded PostgreSQL in a temporary folder that is removed at the stop: for tests, measurements and the schema dump. Never for
 * money: by default it does not wait for the disk. It first removes those whose owner was killed.
 */
export async function startTemporaryPostgres(settings: Settings = CARELESS): Promise<EmbeddedPostgres> {
  await removeOrphans();
  const { dataDir, remove } = await createTemporaryFolder();
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, settings, log: () => {} });
    return { ...postgres, stop: () => postgres.stop().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}
