// Drill: the disk of the data folder fills up under load, and later has room again. Needs root on Linux: the disk is a small
// file system in memory, mounted for the while.

import { execFile } from 'node:child_process';
import { chmod, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { openEmbedded } from './drill-backup.ts';
import { beginLoad, type Load, progress, settle } from './load.ts';
import { runService } from './server.ts';
import { type Drill, forSeconds, type Stage } from './stage.ts';

const run = promisify(execFile);
const DISK = '320m';
const ACKNOWLEDGED_MIN = 50;
const CHUNK = Buffer.alloc(64 * 1024);
const NO_ROOM_S = 1;

const mountDisk = async (stage: Stage): Promise<string> => {
  const folder = await stage.folder();
  const options = `size=${DISK},mode=0711`;
  await run('mount', ['-t', 'tmpfs', '-o', options, 'holdfast-drill', folder]).catch((error: unknown) => {
    throw new Error('This drill mounts a small file system, which needs root on Linux.', { cause: error });
  });
  stage.afterwards(() => run('umount', ['--lazy', folder]));
  await chmod(folder, 0o711);
  return folder;
};

/** Fills what is left, again and again: whatever the database frees is taken too. */
const fill = async (disk: string): Promise<void> => {
  const ballast = path.join(disk, 'ballast');
  for (;;) {
    const isFull = await writeFile(ballast, CHUNK, { flag: 'a' }).then(
      () => false,
      () => true,
    );
    if (isFull) return;
  }
};

/** Until nothing was acknowledged for a while: the database had some room of its own left. */
const untilStuck = async (disk: string, load: Load): Promise<void> => {
  for (let before = -1; before !== load.acknowledged.length; ) {
    before = load.acknowledged.length;
    await fill(disk);
    await forSeconds(NO_ROOM_S);
  }
};

const play: Drill['play'] = async (stage, { seconds }) => {
  const disk = await mountDisk(stage);
  const service = await runService(stage, { dataDir: disk });
  const load = await beginLoad(stage, service);
  await progress(load, ACKNOWLEDGED_MIN);
  stage.say(`${load.acknowledged.length} acknowledged; the disk of ${DISK} is filled`);
  await untilStuck(disk, load);
  const full = await statfs(disk);
  const before = load.acknowledged.length;
  stage.say(`${before} acknowledged when nothing went any more; it stays full for ${seconds} s`);
  await forSeconds(seconds);
  stage.found('a full disk stops what writes, and nothing is acknowledged that is not on it', {
    holds: load.acknowledged.length === before,
    detail: `${full.bavail * full.bsize} bytes left; the server ended ${service.exits.length} times`,
  });
  await rm(path.join(disk, 'ballast'));
  stage.say('There is room again');
  await progress(load, ACKNOWLEDGED_MIN);
  await settle(stage, { load, pool: openEmbedded(stage, service.dataDir) });
};

export const diskFull: Drill = {
  name: 'disk-full',
  about: 'the disk of the data folder is full for a while (root on Linux)',
  seconds: 10,
  play,
};
