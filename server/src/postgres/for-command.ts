// The database of a command that runs beside a server or alone: the one of the settings, the embedded one of a server that
// is running, or the embedded one started for the while.

import { startEmbeddedPostgres } from './embedded.ts';
import type { Connection } from './postmaster.ts';
import { runningConnection } from './running.ts';

export type CommandDatabase = {
  readonly connection: Connection | { readonly connectionString: string };
  close(): Promise<void>;
};

export async function openCommandDatabase(from: { url: string | null; dataDir: string }): Promise<CommandDatabase> {
  const keepOpen = async (): Promise<void> => {};
  if (from.url !== null) return { connection: { connectionString: from.url }, close: keepOpen };
  const running = await runningConnection(from.dataDir);
  if (running) return { connection: running, close: keepOpen };
  const embedded = await startEmbeddedPostgres({ dataDir: from.dataDir, log: () => {} });
  return { connection: embedded.connection, close: embedded.stop };
}
