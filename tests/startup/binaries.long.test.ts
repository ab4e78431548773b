// The PostgreSQL programs and their data in one closed folder.

import assert from 'node:assert/strict';
import { cp, mkdir, readdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { ask, PACKAGE, start } from './fixture.ts';

test('a checkout and its data folder both inside a closed folder work', async (t) => {
  const closed = path.join(await temporaryFolder(t), 'closed');
  await mkdir(closed, { mode: 0o700 });
  const packageDir = path.join(closed, 'package');
  await cp(PACKAGE, packageDir, { recursive: true, verbatimSymlinks: true });
  const before = await copies();
  const postgres = await start(t, { dataDir: path.join(closed, 'data'), packageDir });
  assert.deepEqual(await ask(postgres, 'select 1'), [1]);
  await postgres.stop();
  assert.deepEqual(await copies(), before);
});

async function copies(): Promise<string[]> {
  return (await readdir(os.tmpdir())).filter((name) => name.startsWith('holdfast-postgresql'));
}
