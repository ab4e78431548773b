// The PostgreSQL programs work however the checkout was installed and wherever it lies. binaries.long.test.ts has one more place.

import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { ask, PACKAGE, start } from './fixture.ts';

test('an install without scripts, in a checkout only root may enter, works and leaves no copy behind', async (t) => {
  const folder = await temporaryFolder(t);
  const packageDir = path.join(folder, 'closed', 'package');
  await mkdir(path.join(folder, 'closed'), { mode: 0o700 });
  await cp(PACKAGE, packageDir, { recursive: true, verbatimSymlinks: true });
  await removeLinks(packageDir);

  const dataDir = path.join(folder, 'data');
  const postgres = await start(t, { dataDir, packageDir });
  assert.deepEqual(await ask(postgres, 'select 1'), [1]);
  await postgres.stop();
  assert.deepEqual(
    (await readdir(dataDir)).filter((name) => name.startsWith('holdfast-postgresql')),
    [],
  );
});

test('programs that cannot run are refused with a sentence that names DATABASE_URL', async (t) => {
  const folder = await temporaryFolder(t);
  const packageDir = path.join(folder, 'package');
  await cp(PACKAGE, packageDir, { recursive: true, verbatimSymlinks: true });
  await rm(path.join(packageDir, 'native', 'bin', 'postgres'));
  await assert.rejects(start(t, { dataDir: path.join(folder, 'data'), packageDir }), /cannot run here.*DATABASE_URL/s);
});

async function removeLinks(packageDir: string): Promise<void> {
  const list = await readFile(path.join(packageDir, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { target } of JSON.parse(list) as { target: string }[]) {
    await rm(path.join(packageDir, target), { force: true });
  }
}
