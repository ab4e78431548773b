// A PostgreSQL beside the server, at an address that can move: what a managed database is to a server with DATABASE_URL.
// It is stopped, killed and started by the drill, as its own keepers would.

import { rename, symlink } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { clusterFolder } from '../../server/src/postgres/cluster.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/src/postgres/embedded.ts';
import type { Settings } from '../../server/src/postgres/settings.ts';
import type { Stage } from './stage.ts';

export type Database = {
  readonly dataDir: string;
  start(): Promise<void>;
  /** SIGINT ends sessions and writes everything out, SIGQUIT and SIGKILL do not. */
  end(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>;
};

export type Address = {
  /** For DATABASE_URL. */
  readonly url: string;
  readonly connection: pg.PoolConfig;
  /** New connections go to this one from now on. */
  pointAt(database: Pick<Database, 'dataDir'>): Promise<void>;
};

export const runDatabase = async (
  stage: Stage,
  { dataDir, settings = {} }: { dataDir: string; settings?: Settings },
): Promise<Database> => {
  let running: EmbeddedPostgres | null = null;
  const database: Database = {
    dataDir,
    async start() {
      running = await startEmbeddedPostgres({ dataDir, settings: { shared_buffers: '32MB', ...settings }, log() {} });
    },
    async end(signal) {
      if (running === null) return;
      process.kill(running.pid, signal);
      await running.exited;
      await running.stop();
      running = null;
    },
  };
  stage.afterwards(() => database.end('SIGQUIT'));
  await database.start();
  return database;
};

/** A name for the folder of the socket, as a host name is one for a machine. */
export const openAddress = async (stage: Stage): Promise<Address> => {
  const host = path.join(await stage.folder(), 'db');
  return {
    url: `postgres:///holdfast?host=${encodeURIComponent(host)}&user=holdfast&port=5432`,
    connection: { host, port: 5432, user: 'holdfast', database: 'holdfast' },
    async pointAt({ dataDir }) {
      await symlink(clusterFolder(dataDir), `${host}.new`);
      await rename(`${host}.new`, host);
    },
  };
};

export const openBooks = (stage: Stage, connection: pg.PoolConfig): pg.Pool => {
  const pool = openPool(connection, { max: 2, onError() {} });
  stage.afterwards(() => pool.end());
  return pool;
};
