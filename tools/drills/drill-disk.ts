// Drill: the disk of the data folder fills up under load, and later has room again. PostgreSQL's own log still has room in
// the segments that it has: drill-wal.ts takes that too.

import { bytesLeft, DISK, fillDisk, makeRoom, mountDisk } from './disk.ts';
import { openEmbedded } from './drill-backup.ts';
import { beginLoad, type Load, progress, settle } from './load.ts';
import { runService } from './server.ts';
import { type Drill, forSeconds } from './stage.ts';

const ACKNOWLEDGED_MIN = 50;
const NO_ROOM_S = 1;

/** Until nothing was acknowledged for a while: the database had some room of its own left. */
const untilStuck = async (disk: string, load: Load): Promise<void> => {
  for (let before = -1; before !== load.acknowledged.length; ) {
    before = load.acknowledged.length;
    await fillDisk(disk);
    await forSeconds(NO_ROOM_S);
  }
};

const play: Drill['play'] = async (stage, { seconds }) => {
  const disk = await mountDisk(stage);
  const service = await runService(stage, { dataDir: disk });
  const load = await beginLoad(stage, service);
  await progress(load, ACKNOWLEDGED_MIN);
  stage.say(`${load.acknowledged.length} acknowledged; the disk of ${DISK} is being filled`);
  await untilStuck(disk, load);
  const left = await bytesLeft(disk);
  const before = load.acknowledged.length;
  stage.say(`${before} acknowledged when the disk was full; it stays full for ${seconds} s`);
  await forSeconds(seconds);
  stage.found('a full disk stops writes, and no write is acknowledged that is not on the disk', {
    holds: load.acknowledged.length === before,
    detail: `${left} bytes left; the server ended ${service.exits.length} times`,
  });
  await makeRoom(disk);
  stage.say('The disk has free space again');
  await progress(load, ACKNOWLEDGED_MIN);
  await settle(stage, { load, pool: openEmbedded(stage, service.dataDir) });
};

export const diskFull: Drill = {
  name: 'disk-full',
  about: 'the disk of the data folder is full for a while (needs root on Linux)',
  seconds: 10,
  play,
};
