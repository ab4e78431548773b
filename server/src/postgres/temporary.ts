// An embedded PostgreSQL in a temporary folder that is removed at the stop: for tests, measurements and the schema dump. Never for
// money: by default it does not wait for the disk.

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';
import type { Settings } from './settings.ts';

const CARELESS: Settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' };

export async function startTemporaryPostgres(settings: Settings = CARELESS): Promise<EmbeddedPostgres> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'holdfast-postgres-'));
  await chmod(dataDir, 0o711);
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, settings, log: () => {} });
    return { ...postgres, stop: () => postgres.stop().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}
