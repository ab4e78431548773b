// A server whose log nobody reads any more, because who started it was killed, still ends when it is told to.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { urlOf } from '../../scripts/scale/database.ts';
import { startServer } from '../crash/server-process.ts';
import { afterwards } from '../support/afterwards.ts';
import { createDatabase } from '../support/database.ts';
import { temporaryFolder } from '../support/folder.ts';

test('a server ends in good order although the reader of its log is gone', async (t) => {
  const database = await createDatabase();
  afterwards(t, database.drop);
  const env = { DATABASE_URL: urlOf(database.connection), LOG_LEVEL: 'info' };
  const { child, kill } = await startServer(t, { dataDir: await temporaryFolder(t), env });
  for (const output of [child.stdout!, child.stderr!]) output.destroy();
  assert.deepEqual(await kill('SIGTERM'), { code: 0, signal: null });
});
