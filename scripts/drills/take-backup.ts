// The command of a backup: `node scripts/drills/take-backup.ts --to FOLDER`. Copies the data folder of the settings while
// its server works. Ends with 1 when it could not, and then leaves no backup.

import path from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../../server/src/config.ts';
import { takeBackup } from './backup.ts';

const fail = (line: string, code: number): never => {
  process.stderr.write(`${line}\n`);
  process.exit(code);
};

const { values } = parseArgs({ options: { to: { type: 'string' } } });
const read = readConfig(process.env);
if (!read.ok) fail(read.problems.join('\n'), 2);
else if (values.to === undefined) fail('Say where to: --to FOLDER. It must be empty or not there yet.', 2);
else if (read.config.database.url !== null) {
  fail(
    'DATABASE_URL is set: that database has backups of its own. Keep the secrets beside them; see docs/operating.md.',
    2,
  );
} else {
  try {
    const to = path.resolve(values.to);
    const { bytes, logSegments, files, heads } = await takeBackup(read.config.data.dir, to);
    const mebibytes = Math.ceil(bytes / 1024 ** 2);
    console.log(`${to}: ${mebibytes} MiB, ${logSegments} log segments, and ${files.join(', ') || 'no keys'}`);
    for (const { marketplaceId, eventPosition, auditSeq } of heads) {
      console.log(`  ${marketplaceId}: ${eventPosition} events, ${auditSeq} audit entries`);
    }
    if (!files.includes('secrets.json')) {
      console.log('The keys are not in the data folder: keep those of your settings with this backup.');
    }
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error), 1);
  }
}
