// The command of a backup: `node server/src/programs/take-backup.ts --to FOLDER`. Copies the data folder of the settings while
// its server works. Ends with 1 when it could not, and then leaves no backup.

import path from 'node:path';
import { readConfig } from '../config/config.ts';
import { takeUnlessInterrupted } from './backup/backup.ts';
import { INTERRUPTED, watchInterruption } from './interruption.ts';
import { notEmpty, printLine, scriptCommand } from './script-command.ts';

const fail = (line: string, code: number): never => {
  process.stderr.write(`${line}\n`);
  process.exit(code);
};

const values = scriptCommand('backup', 'Copies the folder of DATA_DIR while its server works.')
  .requiredOption('--to <folder>', 'folder of the backup: empty, or not there yet', notEmpty)
  .parse()
  .opts<{ to: string }>();
const read = readConfig(process.env);
if (!read.ok) fail(read.problems.join('\n'), 2);
else if (read.config.database.url !== null) {
  fail(
    'DATABASE_URL is set: that database has backups of its own. Keep the secrets beside them; see docs/operating.md.',
    2,
  );
} else {
  const signal = watchInterruption();
  try {
    const to = path.resolve(values.to);
    const { bytes, logSegments, files, heads } = await takeUnlessInterrupted({
      ...{ dataDir: read.config.data.dir, to, signal },
    });
    const mebibytes = Math.ceil(bytes / 1024 ** 2);
    printLine(`${to}: ${mebibytes} MiB, ${logSegments} log segments, and ${files.join(', ') || 'no keys'}`);
    for (const { marketplaceId, eventPosition, auditSeq } of heads) {
      printLine(`  ${marketplaceId}: ${eventPosition} events, ${auditSeq} audit entries`);
    }
    if (!files.includes('secrets.json')) {
      printLine('The keys are not in the data folder: keep those of your settings with this backup.');
    }
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error), signal.aborted ? INTERRUPTED : 1);
  }
}
