// A server still stops on SIGTERM when its log has no reader any more, for example because its parent process was killed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
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
