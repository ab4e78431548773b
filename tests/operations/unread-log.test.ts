// The last lines of the log: they are written before the process ends, and a log without a reader does not keep the process alive.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { urlOf } from '../../tools/cluster/database.ts';
import { startServer } from '../../tools/processes/server-process.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';

test('a server exits with 0 on SIGTERM although its log has no reader', async (t) => {
  const database = await createDatabase();
  afterwards(t, database.drop);
  const env = { DATABASE_URL: urlOf(database.connection), LOG_LEVEL: 'info' };
  const { child, kill } = await startServer(t, { dataDir: await temporaryFolder(t), env });
  for (const output of [child.stdout!, child.stderr!]) output.destroy();
  assert.deepEqual(await kill('SIGTERM'), { code: 0, signal: null });
});

const LOGS = pathToFileURL(path.resolve(import.meta.dirname, '../../server/src/observability/logs.ts')).href;
/** The first line is longer than a batch, so that its write is under way when the last line is logged. */
const PROGRAM = `
  const { createLog, writeLastWords } = await import('${LOGS}');
  const log = createLog({ level: 'info' });
  log.info('x'.repeat(10_000));
  log.info('the last line');
  await writeLastWords();
  process.exit(0);
`;

test('the last line is written although an earlier write is under way', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM]);
  assert.match(stdout, /"the last line"/);
});
