// Databases for one measurement, on the server that all of its steps share.

import pg from 'pg';
import type { Connection } from '../server/src/postgres/connection.ts';

/** One statement after the other on a connection of their own, without the usual time-out. */
export const runSql = async (connection: Connection, statements: readonly string[]): Promise<void> => {
  const client = new pg.Client(connection as pg.ClientConfig);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
};

/** Empty, or a copy of the template. The template must have no connections. */
export const createDatabase = async (
  server: Connection,
  { name, template = 'template1' }: { name: string; template?: string },
): Promise<Connection> => {
  await runSql(server, [`drop database if exists ${name}`, `create database ${name} template ${template}`]);
  return { ...server, database: name };
};

/** Opens the server's own kind of address: a socket in a folder. */
export const databaseUrl = ({ host, user, database }: Connection): string =>
  `postgres:///${database}?host=${encodeURIComponent(String(host))}&user=${user}`;

export const serverVersion = async (connection: Connection): Promise<string> => {
  const client = new pg.Client(connection as pg.ClientConfig);
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]!.server_version.split(' ')[0]!;
  } finally {
    await client.end();
  }
};
