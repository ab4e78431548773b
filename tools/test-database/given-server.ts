// A PostgreSQL that runs already and is named by TEST_DATABASE_URL, for tests on another version than the embedded one. Every database of a
// run has a name of its own and is removed at the end, also after an interrupted test. Nothing else on the server is touched.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { aside } from './aside.ts';
import { prepareTemplate, type TestConnection, type TestPostgres } from './template.ts';

const VERSIONS = { from: 15, to: 18 };

// As the embedded PostgreSQL has it: text sorts by its code points, and letters of all alphabets have a lower case.
const LIKE_EMBEDDED = `template template0 encoding 'UTF8' locale 'C.UTF-8'`;

const connectionOf = (url: string): TestConnection => {
  const { host, port, user, database, password } = new pg.Client(url);
  const given = { host, port, user: user!, database: database!, ssl: false } as const;
  return password ? { ...given, password } : given;
};

type Facts = { readonly version: number; readonly mayCreate: boolean };

const FACTS = `select current_setting('server_version_num')::int / 10000 as version, rolcreatedb or rolsuper as "mayCreate"
  from pg_roles where rolname = current_user`;

/** The reason why this server cannot be used. */
const refusalOf = ({ version, mayCreate }: Facts): string | null => {
  if (version < VERSIONS.from || version > VERSIONS.to)
    return `it is PostgreSQL ${version}, and Holdfast supports ${VERSIONS.from} to ${VERSIONS.to}`;
  return mayCreate ? null : 'its role may not create databases';
};

const dropAll = async (connection: TestConnection, prefix: string): Promise<void> => {
  const { rows } = await aside(connection, 'select datname as name from pg_database where starts_with(datname, $1)', [
    `${prefix}_`,
  ]);
  for (const { name } of rows) {
    await aside(connection, `alter database ${name} with is_template false`);
    await aside(connection, `drop database ${name} with (force)`);
  }
};

export const prepareGivenServer = async (url: string): Promise<TestPostgres & { stop(): Promise<void> }> => {
  const connection = connectionOf(url);
  const facts: Facts = (await aside(connection, FACTS)).rows[0]!;
  const refusal = refusalOf(facts);
  if (refusal !== null) throw new Error(`The server of TEST_DATABASE_URL cannot be used: ${refusal}.`);
  const prefix = `test_${randomBytes(4).toString('hex')}`;
  const stop = () => dropAll(connection, prefix);
  try {
    // Copying the files would wait for two checkpoints of the whole server.
    return { ...(await prepareTemplate(connection, { prefix, options: LIKE_EMBEDDED })), strategy: 'wal_log', stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
