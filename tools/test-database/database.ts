// A migrated database of its own for each test, cloned from the template. Under `node tests/run.ts` all tests share one
// PostgreSQL; a file run alone with `node --test` starts one for itself and stops it at the end.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { EmbeddedPostgres } from '../../server/src/postgres/embedded.ts';
import type { Connection } from '../../server/src/postgres/postmaster.ts';
import { atTheEnd } from './at-the-end.ts';
import { prepareTemplate, startTestPostgres, type TestPostgres } from './template.ts';

export type TestDatabase = { connection: Connection; drop(): Promise<void> };

let own: Promise<EmbeddedPostgres> | undefined;
let shared: Promise<TestPostgres> | undefined;
/** Kept open: a connection of its own for each statement took 4 ms of CPU. */
let admin: pg.Pool | undefined;

// The first thing, so that it is the last one to be closed.
if (process.env.TEST_POSTGRES === undefined) atTheEnd(async () => (await own)?.stop());

// `empty` gives a database without our schema.
export async function createDatabase({ empty = false } = {}): Promise<TestDatabase> {
  shared ??= findPostgres();
  const { connection, template } = await shared;
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Copying the files took 20 ms alone and 85 ms beside another; through the log 31 and 83 ms, and 9 ms more to drop.
  await administer(connection, `create database ${name} template ${empty ? 'template0' : template} strategy file_copy`);
  return {
    connection: { ...connection, database: name },
    drop: () => administer(connection, `drop database ${name} with (force)`),
  };
}

/** A copy of a database whose server has stopped: what a backup of this moment would restore. */
export async function copyDatabase({ database }: { database?: string | undefined }): Promise<TestDatabase> {
  shared ??= findPostgres();
  const { connection } = await shared;
  const name = `test_${randomBytes(8).toString('hex')}`;
  admin ??= openAdmin(connection);
  // A connected database cannot be cloned. A pool of a test connects again when it is used.
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database]);
  await administer(connection, `create database ${name} template ${database} strategy file_copy`);
  return {
    connection: { ...connection, database: name },
    drop: () => administer(connection, `drop database ${name} with (force)`),
  };
}

async function findPostgres(): Promise<TestPostgres> {
  const { TEST_POSTGRES } = process.env;
  if (TEST_POSTGRES !== undefined) return JSON.parse(TEST_POSTGRES);
  own = startTestPostgres();
  return prepareTemplate((await own).connection);
}

async function administer(connection: Connection, statement: string): Promise<void> {
  admin ??= openAdmin(connection);
  await admin.query(statement);
}

function openAdmin(connection: Connection): pg.Pool {
  // An idle connection must not keep the process from ending.
  const pool = new pg.Pool({ ...connection, max: 2, allowExitOnIdle: true });
  // Lost when PostgreSQL is stopped, at the end.
  pool.on('error', () => {});
  return pool;
}
