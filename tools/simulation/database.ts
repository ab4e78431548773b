// The database of a environment: one in the PostgreSQL that all environments share, or, where it is to be killed, in a PostgreSQL of its own
// that comes back in the same place with everything it had answered.

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/src/postgres/embedded.ts';
import type { Connection } from '../../server/src/postgres/postmaster.ts';
import type { Settings } from '../../server/src/postgres/settings.ts';
import { aside } from '../test-database/aside.ts';
import { copyUsedDatabase, createDatabase, dropDatabase, renameDatabase } from '../test-database/database.ts';
import { prepareTemplate } from '../test-database/template.ts';

type EnvironmentDatabase = {
  readonly connection: Connection;
  /** Kills PostgreSQL as a power cut would, and starts it again; only where it is the environment's own. */
  killNow(): Promise<void>;
  /** Copies the database as it is now, in place of an earlier copy. No server may be connected. */
  copy(): Promise<void>;
  /** Replaces the database by the copy. No server may be connected. */
  restore(): Promise<void>;
  drop(): Promise<void>;
};

// A killed process takes no page of the operating system with it, so the disk need not be waited for; all the rest is as in
// earnest: what a commit has answered is written, and a page that was being written is put right from the log.
const SETTINGS: Settings = { fsync: 'off', max_connections: 250, shared_buffers: '64MB', max_wal_size: '256MB' };

const copyOf = ({ database }: Connection): string => `${database}_copy`;

/** Statements about whole databases of a PostgreSQL of its own, from another one of them. */
const copyingOwn = (connection: Connection) => {
  const { database } = connection;
  const copy = copyOf(connection);
  const run = (text: string) => aside({ ...connection, database: 'postgres' }, text);
  return {
    async copy(): Promise<void> {
      await run(`drop database if exists ${copy} with (force)`);
      await run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`);
      await run(`create database ${copy} template ${database} strategy file_copy`);
    },
    async restore(): Promise<void> {
      await run(`drop database ${database} with (force)`);
      await run(`alter database ${copy} rename to ${database}`);
    },
  };
};

const openOwn = async (): Promise<EnvironmentDatabase> => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'pg-'));
  await chmod(dataDir, 0o711);
  const start = (): Promise<EmbeddedPostgres> => startEmbeddedPostgres({ dataDir, settings: SETTINGS, log: () => {} });
  let postgres = await start();
  const { template } = await prepareTemplate(postgres.connection);
  const database = 'environment';
  await aside(postgres.connection, `create database ${database} template ${template} strategy file_copy`);
  const connection = { ...postgres.connection, database };
  const { copy, restore } = copyingOwn(connection);
  return {
    connection,
    copy,
    restore,
    async killNow() {
      process.kill(postgres.pid, 'SIGKILL');
      await postgres.exited;
      // Only what it left behind: its lock and its links.
      await postgres.stop();
      postgres = await start();
      if (postgres.connection.host !== connection.host) throw new Error('PostgreSQL came back in another place');
    },
    async drop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
};

// Other tests want no job that begins by its time; a environment wants the times as a new installation has them.
const TIMES = `delete from pgboss.schedule; update pgboss.version set cron_on = null`;

export const openEnvironmentDatabase = async ({ own }: { own: boolean }): Promise<EnvironmentDatabase> => {
  const opened = own ? await openOwn() : await openShared();
  await aside(opened.connection, TIMES);
  return opened;
};

const openShared = async (): Promise<EnvironmentDatabase> => {
  const shared = await createDatabase();
  const killNow = async (): Promise<void> => {
    throw new Error('a PostgreSQL that others use too is not killed');
  };
  const { database } = shared.connection;
  const copyName = copyOf(shared.connection);
  return {
    connection: shared.connection,
    killNow,
    async copy() {
      await dropDatabase(copyName);
      await copyUsedDatabase(database, copyName);
    },
    async restore() {
      await dropDatabase(database);
      await renameDatabase(copyName, database);
    },
    async drop() {
      await dropDatabase(copyName);
      await shared.drop();
    },
  };
};
