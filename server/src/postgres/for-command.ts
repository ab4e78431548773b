// The database of a command-line program, with or without a running server: the database of the settings, the embedded database of a
// running server, or an embedded database that is started for the program. Only a program with `mayCreate` creates it: in a wrong
// folder, other programs must report that there is no database instead of checking empty books.

import { realpath, stat } from 'node:fs/promises';
import pg from 'pg';
import { clusterFolder, DATABASE } from './cluster.ts';
import { startEmbeddedPostgres } from './embedded.ts';
import type { Connection } from './postmaster.ts';
import { PORT, shortenSocketFolder } from './settings.ts';

type CommandDatabase = {
  readonly connection: Connection | { readonly connectionString: string };
  close(): Promise<void>;
};

type From = {
  readonly url: string | null;
  readonly dataDir: string;
  /** Creates the database when there is none yet. */
  readonly mayCreate?: boolean;
};

export async function refuseWithoutDatabase(dataDir: string): Promise<void> {
  const found = await stat(clusterFolder(dataDir)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (found === null) {
    throw new Error(`There is no database in ${dataDir}. Set DATA_DIR to the folder of the server, or DATABASE_URL.`);
  }
}

export async function openCommandDatabase(from: From): Promise<CommandDatabase> {
  const keepOpen = async (): Promise<void> => {};
  if (from.url !== null) return { connection: { connectionString: from.url }, close: keepOpen };
  if (!from.mayCreate) await refuseWithoutDatabase(from.dataDir);
  const running = await runningConnection(from.dataDir);
  if (running) return { connection: running, close: keepOpen };
  const embedded = await startEmbeddedPostgres({ dataDir: from.dataDir, log: () => {} });
  return { connection: embedded.connection, close: embedded.stop };
}

/** The connection to the embedded PostgreSQL of a running server, for programs that only read. Null when its socket does not answer. */
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
