// Opens what the archive program needs: the database of the settings, a committer for the commands that seal and restore, and the
// archiver. Everything is closed when the program ends.

import { systemClock } from '../../base/instant.ts';
import { createCommitter } from '../../commit/committer.ts';
import { migrate } from '../../commit/migrate.ts';
import { type Config, readConfig } from '../../config/config.ts';
import { createArchiver } from '../../modules/archives/archiver.ts';
import { archiveFolder } from '../../modules/archives/manifest.ts';
import { createAuditReads } from '../../modules/audit/queries.ts';
import { openLane, openPool } from '../../postgres/connection.ts';
import { openCommandDatabase } from '../../postgres/for-command.ts';
import { TABLES } from '../../registry.ts';
import { VERSION } from '../../version.ts';

const complain = (message: string): void => void process.stderr.write(`${message}\n`);

const configOrExit = (): Config => {
  const read = readConfig(process.env);
  if (read.ok) return read.config;
  for (const problem of read.problems) complain(problem);
  return process.exit(2);
};

export const openArchiving = async () => {
  const { data, database, archive } = configOrExit();
  const dir = archiveFolder({ archive, data });
  const { connection, close } = await openCommandDatabase({ url: database.url, dataDir: data.dir });
  const pool = openPool(connection, { max: 3, onError: () => {} });
  await migrate({ pool });
  const committer = createCommitter({
    tables: TABLES,
    connect: () => openLane(connection),
    clock: systemClock,
    lanes: 1,
    groupMax: 10,
    queueMax: 10,
    patienceMs: 10_000,
    onEvents() {},
    onTrouble: complain,
  });
  return {
    pool,
    dir,
    afterMonths: archive.afterMonths,
    marketplaces: await createAuditReads(pool).marketplaces(),
    archiver: createArchiver({ pool, submit: committer.submit, dir, version: VERSION }),
    async [Symbol.asyncDispose](): Promise<void> {
      await committer.close();
      await pool.end();
      await close();
    },
  };
};

export type Archiving = Awaited<ReturnType<typeof openArchiving>>;
