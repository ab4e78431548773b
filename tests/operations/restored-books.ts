// A data folder with a PostgreSQL of its own and some books, and the proof of the books of a restored folder.

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { migrate } from '../../server/src/commit/migrate.ts';
import { keepKeks } from '../../server/src/ledger/keys/key-ring.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { startEmbeddedPostgres } from '../../server/src/postgres/embedded.ts';
import { archivesIn } from '../../server/src/programs/backup/archives.ts';
import type { Manifest } from '../../server/src/programs/backup/backup.ts';
import { proveRestored } from '../../server/src/programs/backup/proof.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { preparedFolder } from '../support/prepared-cluster.ts';

type Keks = Parameters<typeof keepKeks>[0];

/** Creates a data folder with a running PostgreSQL and one user with a balance. */
export const openBooks = async (t: TestContext): Promise<{ dataDir: string; app: TestApp }> => {
  const dataDir = await preparedFolder(t);
  const postgres = await startEmbeddedPostgres({ dataDir, log() {}, settings: { shared_buffers: '16MB' } });
  afterwards(t, () => postgres.stop());
  const pool = openPool(postgres.connection, { max: 2, onError() {} });
  afterwards(t, () => pool.end());
  await migrate({ pool });
  const app = await startApp(t, { connection: postgres.connection });
  await app.aUser({ available: '12.34' });
  await writeFile(path.join(dataDir, 'secrets.json'), '{}');
  return { dataDir, app };
};

/** Starts PostgreSQL in the restored folder. The returned function lists the promises that do not hold for its books. */
export const failingIn = async (t: TestContext, of: { dataDir: string; manifest: Manifest }) => {
  const { dataDir, manifest } = of;
  const postgres = await startEmbeddedPostgres({ dataDir, log() {}, settings: { shared_buffers: '16MB' } });
  afterwards(t, () => postgres.stop());
  const pool = openPool(postgres.connection, { max: 2, onError() {} });
  afterwards(t, () => pool.end());
  return async (walletKeks: Keks): Promise<string[]> =>
    (await proveRestored(pool, { manifest, keeper: keepKeks(walletKeks), archiveDir: archivesIn(dataDir) }))
      .filter(({ holds }) => !holds)
      .map(({ promise }) => promise);
};
