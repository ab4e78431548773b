// The command of a restore: `node scripts/drills/restore-backup.ts --from BACKUP --into FOLDER` puts a backup into an empty
// folder and proves it there; without --into it proves it in a temporary one. Ends with 1 when something does not hold.

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../../server/src/config.ts';
import { startEmbeddedPostgres } from '../../server/src/postgres/embedded.ts';
import { loadSecrets } from '../../server/src/secrets.ts';
import { openPool } from '../../server/src/store/connection.ts';
import { restoreBackup } from './backup.ts';
import { proveRestored } from './backup-proof.ts';
import { printFindings } from './print.ts';
import type { Finding } from './stage.ts';

const prove = async (from: string, dataDir: string): Promise<Finding[]> => {
  const read = readConfig(process.env);
  if (!read.ok) throw new Error(read.problems.join(' '));
  const manifest = await restoreBackup(from, dataDir);
  console.log(`Restored to ${dataDir}: ${manifest.takenAt}, Holdfast ${manifest.holdfast}`);
  const { walletKeks } = await loadSecrets({ dataDir, keys: read.config.keys });
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const pool = openPool(postgres.connection, { max: 2, onError: () => {} });
  try {
    return await proveRestored(pool, { manifest, walletKeks });
  } finally {
    await pool.end();
    await postgres.stop();
  }
};

const { values } = parseArgs({ options: { from: { type: 'string' }, into: { type: 'string' } } });
try {
  if (values.from === undefined) throw new Error('Say what: --from BACKUP, and --into FOLDER to keep it.');
  const temporary = values.into === undefined ? await mkdtemp(path.join(os.tmpdir(), 'holdfast-restore-')) : null;
  try {
    const findings = await prove(path.resolve(values.from), path.resolve(values.into ?? temporary!));
    if (!printFindings(findings)) process.exitCode = 1;
  } finally {
    if (temporary !== null) await rm(temporary, { recursive: true, force: true });
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
