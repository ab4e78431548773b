// A server whose log nobody reads any more, because who started it was killed, still ends when it is told to.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { startLoneProcess } from '../../scripts/lone-process.ts';
import { afterwards } from '../support/afterwards.ts';
import { createDatabase } from '../support/database.ts';
import { temporaryFolder } from '../support/folder.ts';

const MAIN = path.resolve(import.meta.dirname, '../../server/src/main.ts');

test('a server ends in good order although the reader of its log is gone', async (t) => {
  const database = await createDatabase();
  afterwards(t, database.drop);
  const { user, host, port, database: name } = database.connection;
  const folder = await temporaryFolder(t);
  const env = {
    DATABASE_URL: `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`,
    ...{ DATA_DIR: folder, PORT: '0', SANDBOX: 'off', LOG_LEVEL: 'info' },
  };
  const server = startLoneProcess({ file: MAIN, folder, env });
  afterwards(t, () => server.kill('SIGKILL'));
  await server.hear(/API\s+http:\S+/);
  for (const output of [server.child.stdout!, server.child.stderr!]) output.destroy();
  assert.deepEqual(await server.kill('SIGTERM'), { code: 0, signal: null });
});
