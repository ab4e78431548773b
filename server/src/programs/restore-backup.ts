// The command `npm run restore -- --from BACKUP --into FOLDER`: restores a backup to an empty folder and proves the books there. Without
// --into it uses a temporary folder. Exits with 1 when a check fails.

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readConfig } from '../config/config.ts';
import { openKeyRing } from '../ledger/keys/key-ring.ts';
import { keySourceOf } from '../ledger/keys/key-sources.ts';
import { openPool } from '../postgres/connection.ts';
import { startEmbeddedPostgres } from '../postgres/embedded.ts';
import { archivesIn } from './backup/archives.ts';
import { type Manifest, restoreUnlessInterrupted } from './backup/backup.ts';
import { proveRestored } from './backup/proof.ts';
import { INTERRUPTED, orInterrupted, stopAfterwards, watchInterruption } from './interruption.ts';
import { type Finding, notEmpty, printFindings, printLine, scriptCommand } from './script-command.ts';

const values = scriptCommand('restore', 'Restores a backup and proves it.')
  .requiredOption('--from <backup>', 'a folder that `npm run backup` created', notEmpty)
  .option('--into <folder>', 'data folder to create: empty or missing; default: a temporary folder', notEmpty)
  .parse()
  .opts<{ from: string; into?: string }>();
const signal = watchInterruption();

const prove = async (dataDir: string, manifest: Manifest): Promise<Finding[]> => {
  const read = readConfig(process.env);
  if (!read.ok) throw new Error(read.problems.join(' '));
  await using cleanUp = new AsyncDisposableStack();
  const keeper = await openKeyRing(keySourceOf({ ...read.config, data: { dir: dataDir } }));
  cleanUp.defer(keeper.close);
  const postgres = await stopAfterwards(cleanUp, startEmbeddedPostgres({ dataDir, log: () => {} }));
  const pool = openPool(postgres.connection, { max: 2, onError: () => {} });
  const findings = await orInterrupted(
    proveRestored(pool, { manifest, keeper, archiveDir: archivesIn(dataDir) }),
    signal,
  );
  await pool.end();
  return findings;
};

const temporaryFolder = async (cleanUp: AsyncDisposableStack): Promise<string> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'holdfast-restore-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  return folder;
};

const NEXT_STEP =
  'A server that starts with this folder holds outgoing payments until it was compared with the ledger and the payment provider. ' +
  'Then run `holdfast payments status` and `holdfast payments release`.';

try {
  await using cleanUp = new AsyncDisposableStack();
  const dataDir = values.into === undefined ? await temporaryFolder(cleanUp) : path.resolve(values.into);
  const manifest = await restoreUnlessInterrupted({ backup: path.resolve(values.from), dataDir, signal });
  printLine(`Restored to ${dataDir}: backup of ${manifest.takenAt}, Holdfast ${manifest.holdfast}`);
  if (!printFindings(await prove(dataDir, manifest))) process.exitCode = 1;
  if (values.into !== undefined) printLine(NEXT_STEP);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(signal.aborted ? INTERRUPTED : 1);
}
