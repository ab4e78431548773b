// A migrated database of its own for each test, cloned from the template. Under `node tests/run.ts` all tests share one
// PostgreSQL; a file run alone with `node --test` starts one for itself and stops it at the end.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { atTheEnd } from './at-the-end.ts';
import { freeDatabase } from './free-database.ts';
import { openTestPostgres } from './open.ts';
import type { TestConnection, TestPostgres } from './template.ts';

export type TestDatabase = { connection: TestConnection; drop(): Promise<void> };

let own: ReturnType<typeof openTestPostgres> | undefined;
let shared: Promise<TestPostgres> | undefined;
/** One for each node, kept open: a connection of its own for each statement took 4 ms of CPU. */
let admins: readonly pg.Pool[] | undefined;

// The first thing, so that it is the last one to be closed.
if (process.env.TEST_POSTGRES === undefined) atTheEnd(async () => (await own)?.stop());

// `empty` gives a database without our schema.
export async function createDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const { connection, template, prefix } = await sharedPostgres();
  const name = `${prefix}_${randomBytes(8).toString('hex')}`;
  await cloneDatabase(empty ? 'template0' : template, name);
  return { connection: { ...connection, database: name }, drop: () => dropDatabase(name) };
}

/** A copy of a database whose server has stopped: what a backup of this moment would restore. */
export async function copyDatabase({ database }: { database?: string | undefined }): Promise<TestDatabase> {
  const { connection, prefix } = await sharedPostgres();
  const name = `${prefix}_${randomBytes(8).toString('hex')}`;
  await copyUsedDatabase(database!, name);
  return { connection: { ...connection, database: name }, drop: () => dropDatabase(name) };
}

/** On every node: the catalogue of a distributed database names tables and nodes, which are the same in the copy. */
async function cloneDatabase(from: string, to: string): Promise<void> {
  const { strategy } = await sharedPostgres();
  await administer(`create database ${to} template ${from} strategy ${strategy}`);
}

/** A connected database cannot be cloned, so its connections are ended. A pool of a test connects again when it is used. */
export async function copyUsedDatabase(from: string, to: string): Promise<void> {
  await Promise.all((await openAdmins()).map((admin) => freeDatabase(admin, from)));
  await cloneDatabase(from, to);
  await administer(`alter database ${from} with allow_connections true`);
}

export async function dropDatabase(name: string): Promise<void> {
  const nodes = await openAdmins();
  if (nodes.length > 1) await Promise.all(nodes.map((node) => freeDatabase(node, name)));
  await administer(`drop database if exists ${name} with (force)`);
}

/** The rows that this statement about whole databases has on all nodes: each node knows its own backends only. */
export async function askEveryNode(text: string, values: unknown[]): Promise<unknown[]> {
  const answers = await Promise.all((await openAdmins()).map((admin) => admin.query(text, values)));
  return answers.flatMap(({ rows }) => rows);
}

export const renameDatabase = (from: string, to: string): Promise<void> =>
  administer(`alter database ${from} rename to ${to}`);

const sharedPostgres = (): Promise<TestPostgres> => (shared ??= findPostgres());

async function findPostgres(): Promise<TestPostgres> {
  const { TEST_POSTGRES } = process.env;
  if (TEST_POSTGRES !== undefined) return JSON.parse(TEST_POSTGRES);
  own = openTestPostgres();
  return (await own).postgres;
}

async function openAdmins(): Promise<readonly pg.Pool[]> {
  const { nodes } = await sharedPostgres();
  admins ??= nodes.map(openAdmin);
  return admins;
}

async function administer(statement: string): Promise<void> {
  await Promise.all((await openAdmins()).map((admin) => admin.query(statement)));
}

function openAdmin(connection: TestConnection): pg.Pool {
  // An idle connection must not keep the process from ending.
  const pool = new pg.Pool({ ...connection, max: 2, allowExitOnIdle: true });
  // Lost when PostgreSQL is stopped, at the end.
  pool.on('error', () => {});
  return pool;
}
