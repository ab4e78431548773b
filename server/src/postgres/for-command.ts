// The database of a command that runs beside a server or alone: the one of the settings, the embedded one of a server that
// is running, or the embedded one started for the while. Made anew only for a command whose errand that is: one that looks
// into a wrong folder finds no books there, which is not the same as empty ones.

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
  /** Also where there is none yet. */
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
