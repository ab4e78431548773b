// The command `npm run audit:verify`, also `holdfast audit verify --offline`: recomputes the audit chain of every marketplace, from
// the files of its archived months to the last entry of the database, and prints whether it holds. Works on the database of the settings,
// also while a server is running on it. Exits with 1 when a chain or an archive is broken or could not be read.

import type pg from 'pg';
import { readConfig } from '../config/config.ts';
import { archiveFolder } from '../modules/archives/manifest.ts';
import { verifyArchives } from '../modules/archives/verify-archives.ts';
import { createAuditReads } from '../modules/audit/queries.ts';
import { openPool } from '../postgres/connection.ts';
import { openCommandDatabase } from '../postgres/for-command.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const read = readConfig(process.env);
if (!read.ok) {
  for (const problem of read.problems) process.stderr.write(`${problem}\n`);
  process.exit(2);
}
const { data, database } = read.config;
const dir = archiveFolder(read.config);

type Verified = { readonly pool: pg.Pool; readonly marketplaceId: string };

/** The entries of archived months are in files, so the chain holds only if each of them does. */
const verifyFiles = async (of: Verified): Promise<boolean> => {
  const { holds, verified, border } = await verifyArchives({ ...of, dir });
  for (const { archive, problem } of verified) {
    say(`${of.marketplaceId}: the archive ${archive.id} ${problem === null ? 'holds' : `is BROKEN. ${problem}`}`);
  }
  if (border !== null) say(`${of.marketplaceId}: the archives are BROKEN at the border. ${border}`);
  return holds;
};

const verify = async (): Promise<void> => {
  const { connection, close } = await openCommandDatabase({ url: database.url, dataDir: data.dir });
  const pool = openPool(connection, { max: 1, onError: () => {} });
  try {
    const audit = createAuditReads(pool);
    const marketplaces = await audit.marketplaces();
    if (marketplaces.length === 0) say('There is no marketplace yet, so there is nothing to verify.');
    for (const marketplaceId of marketplaces) {
      const { holds, entries, lastHash, brokenAt } = await audit.verifyChain(marketplaceId);
      const areFilesRight = await verifyFiles({ pool, marketplaceId });
      if (!holds || !areFilesRight) process.exitCode = 1;
      const verdict = holds ? 'holds' : `is BROKEN at entry ${brokenAt}`;
      say(`${marketplaceId}: the chain of ${entries} entries ${verdict}. Last hash: ${lastHash || 'none'}`);
    }
  } finally {
    await pool.end();
    await close();
  }
};

await verify().catch((error: unknown) => {
  process.exitCode = 1;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
});
