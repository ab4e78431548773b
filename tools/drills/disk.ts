// A disk that can be filled: a small file system in memory, mounted for the while, which needs root on Linux.

import { execFile } from 'node:child_process';
import { chmod, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { notPlayed, type Stage } from './stage.ts';

const run = promisify(execFile);
const CHUNK = Buffer.alloc(64 * 1024);
export const DISK = '320m';

export const mountDisk = async (stage: Stage): Promise<string> => {
  const folder = await stage.folder();
  const options = `size=${DISK},mode=0711`;
  await run('mount', ['-t', 'tmpfs', '-o', options, 'holdfast-drill', folder]).catch((error: unknown) => {
    throw notPlayed('This drill mounts a small file system, which needs root on Linux.', error);
  });
  stage.afterwards(() => run('umount', ['--lazy', folder]));
  await chmod(folder, 0o711);
  return folder;
};

/** Fills what is left, again and again: whatever the database frees is taken too. */
export const fillDisk = async (disk: string): Promise<void> => {
  const ballast = path.join(disk, 'ballast');
  for (;;) {
    const isFull = await writeFile(ballast, CHUNK, { flag: 'a' }).then(
      () => false,
      () => true,
    );
    if (isFull) return;
  }
};

export const makeRoom = (disk: string): Promise<void> => rm(path.join(disk, 'ballast'));

export const bytesLeft = async (disk: string): Promise<number> => {
  const { bavail, bsize } = await statfs(disk);
  return bavail * bsize;
};
