// Drill: no room is left for PostgreSQL's own log, under load. It cannot keep what it was told to keep, so it ends, and its
// server with it; the service manager starts both again and again until there is room.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { bytesLeft, DISK, fillDisk, makeRoom, mountDisk } from './disk.ts';
import { openEmbedded } from './drill-backup.ts';
import { beginLoad, progress, settle } from './load.ts';
import { runService, type Service } from './server.ts';
import { type Drill, forSeconds, until } from './stage.ts';

const ACKNOWLEDGED_MIN = 50;
const LOOK_S = 0.1;

/** Each switch leaves the rest of a segment unused, so the log needs a new file that the disk has no room for. */
const exhaust = async (disk: string, { pool, service }: { pool: pg.Pool; service: Service }): Promise<void> => {
  await until(async () => {
    await fillDisk(disk);
    await pool.query('select pg_switch_wal()').catch(() => {});
    return service.exits.length > 0;
  }, 'PostgreSQL could not write its log, and the server ended with it');
};

/** As far as there was room to say it. */
const lastWords = async (disk: string): Promise<string> => {
  const text = await readFile(path.join(disk, 'postgres.log'), 'utf8');
  return (/PANIC: .*/.exec(text) ?? /FATAL: .*No space.*/.exec(text))?.[0] ?? 'it could not even say why';
};

const play: Drill['play'] = async (stage, { seconds }) => {
  const disk = await mountDisk(stage);
  const service = await runService(stage, { dataDir: disk });
  const load = await beginLoad(stage, service);
  await progress(load, ACKNOWLEDGED_MIN);
  const pool = openEmbedded(stage, service.dataDir);
  stage.say(
    `${load.acknowledged.length} acknowledged; the disk of ${DISK} is filled until the write-ahead log cannot grow`,
  );
  await exhaust(disk, { pool, service });
  const before = load.acknowledged.length;
  stage.say(`${before} acknowledged when PostgreSQL stopped; the disk stays full for ${seconds} s`);
  for (const end = performance.now() + seconds * 1_000; performance.now() < end; ) {
    await fillDisk(disk);
    await forSeconds(LOOK_S);
  }
  stage.found('without space for the write-ahead log nothing is acknowledged, and PostgreSQL stops', {
    holds: load.acknowledged.length === before && service.exits.length > 0,
    detail: `${await bytesLeft(disk)} bytes left; the server ended ${service.exits.length} times; ${await lastWords(disk)}`,
  });
  await makeRoom(disk);
  stage.say('The disk has free space again');
  await progress(load, ACKNOWLEDGED_MIN);
  await settle(stage, { load, pool });
};

export const walFull: Drill = {
  name: 'wal-full',
  about: "the disk of PostgreSQL's write-ahead log is full, so that PostgreSQL stops (needs root on Linux)",
  seconds: 20,
  play,
};
