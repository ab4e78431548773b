// The connection to the embedded PostgreSQL of a running server, for programs that only read. Null when its socket does not answer.

import { realpath } from 'node:fs/promises';
import pg from 'pg';
import { clusterFolder, DATABASE } from './cluster.ts';
import type { Connection } from './postmaster.ts';
import { PORT, shortenSocketFolder } from './settings.ts';

export async function runningConnection(dataDir: string): Promise<Connection | null> {
  const folder = await realpath(dataDir).catch(() => null);
  if (folder === null) return null;
  const socket = await shortenSocketFolder(clusterFolder(folder));
  const connection: Connection = { host: socket.host, port: PORT, user: DATABASE, database: DATABASE, ssl: false };
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return connection;
  } catch {
    await socket.remove();
    return null;
  }
}
