// The database of a command-line program, with or without a running server: the one of the settings, the embedded one of a running
// server, or the embedded one started for the program. It is created only for a program that asks for that: in a wrong folder other
// programs must report that there is no database instead of checking empty books.

import { stat } from 'node:fs/promises';
import { clusterFolder } from './cluster.ts';
import { startEmbeddedPostgres } from './embedded.ts';
import type { Connection } from './postmaster.ts';
import { runningConnection } from './running.ts';

export type CommandDatabase = {
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
