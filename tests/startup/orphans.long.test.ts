// A temporary PostgreSQL whose owner was killed: the next one stops it and removes its folder. Those of living owners, and folders that are
// being created, stay as they are.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { removeOrphans } from '../../server/src/postgres/temporary-folder.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { until } from '../../tools/until.ts';

const OWNER = path.join(import.meta.dirname, 'temporary-owner.ts');

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const startOwner = async (t: TestContext, folder: string) => {
  const child = spawn(process.execPath, [OWNER], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const stop = async (): Promise<number> => {
    child.stdin.end();
    return (await ended)[0];
  };
  afterwards(t, stop);
  const line = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return { postgres: Number(line[0]), stop, kill };
};

const foldersIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.startsWith('holdfast-'));

test('processes that start at the same moment remove what a killed one has left, and touch no other', async (t) => {
  const folder = await temporaryFolder(t);
  const living = await startOwner(t, folder);
  const killed = await startOwner(t, folder);
  const [first, second] = await foldersIn(folder);
  assert.ok(first && second);
  await killed.kill();
  assert.equal(isRunning(killed.postgres), true);
  const later = await Promise.all([1, 2, 3, 4].map(() => startOwner(t, folder)));
  await until(() => !isRunning(killed.postgres));
  const all = [living, ...later];
  assert.deepEqual(
    all.map(({ postgres }) => isRunning(postgres)),
    all.map(() => true),
  );
  assert.equal((await foldersIn(folder)).length, all.length);
  assert.deepEqual(await Promise.all(all.map(({ stop }) => stop())), [0, 0, 0, 0, 0]);
  assert.deepEqual(await foldersIn(folder), []);
});

test('folders that are being created, that have another form and that are links stay', async (t) => {
  const folder = await temporaryFolder(t);
  await mkdir(path.join(folder, 'holdfast-unnamed-1', 'data'), { recursive: true });
  await mkdir(path.join(folder, 'holdfast-postgres-2', 'postgres'), { recursive: true });
  await mkdir(path.join(folder, 'elsewhere', 'data'), { recursive: true });
  await symlink(path.join(folder, 'elsewhere'), path.join(folder, 'holdfast-postgres-3'));
  await writeFile(path.join(folder, 'holdfast-postgres-4'), '');
  await mkdir(path.join(folder, 'holdfast-postgres-5', 'data'), { recursive: true });
  await removeOrphans(folder);
  assert.deepEqual((await readdir(folder)).sort(), [
    'elsewhere',
    'holdfast-postgres-2',
    'holdfast-postgres-3',
    'holdfast-postgres-4',
    'holdfast-unnamed-1',
  ]);
});
