// Drill: the database dies under load and its synchronous replica takes over. What was acknowledged was on both, so nothing
// is lost; the server finds the new one at the same address.

import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { clusterFolder } from '../../server/src/postgres/cluster.ts';
import { restoreBackup, takeBackup } from '../../server/src/programs/backup/backup.ts';
import { type Database, openAddress, openBooks, runDatabase } from './database.ts';
import { beginLoad, progress, settle } from './load.ts';
import { runService } from './server.ts';
import { type Drill, forSeconds, type Stage, until } from './stage.ts';

const ACKNOWLEDGED_MIN = 100;

/** A copy of the running database that follows it from then on. */
const followOf = async (stage: Stage, primary: Database): Promise<Database> => {
  const copy = path.join(await stage.folder(), randomUUID());
  await takeBackup(primary.dataDir, copy);
  const dataDir = await stage.folder();
  await restoreBackup(copy, dataDir);
  await writeFile(path.join(clusterFolder(dataDir), 'standby.signal'), '', { mode: 0o600 });
  const primary_conninfo = `host=${clusterFolder(primary.dataDir)} port=5432 user=holdfast application_name=follower`;
  return runDatabase(stage, { dataDir, settings: { primary_conninfo } });
};

const play: Drill['play'] = async (stage, { seconds }) => {
  const primary = await runDatabase(stage, { dataDir: await stage.folder(), settings: { wal_keep_size: '256MB' } });
  const address = await openAddress(stage);
  await address.pointAt(primary);
  const service = await runService(stage, { dataDir: await stage.folder(), env: { DATABASE_URL: address.url } });
  const load = await beginLoad(stage, service);
  await progress(load, ACKNOWLEDGED_MIN);
  stage.say('A replica is created while the server works');
  const follower = await followOf(stage, primary);
  const books = openBooks(stage, address.connection);
  await books.query(`alter system set synchronous_standby_names = 'follower'`);
  await books.query('select pg_reload_conf()');
  await until(async () => {
    const { rows } = await books.query('select sync_state as state from pg_stat_replication');
    return rows.some(({ state }) => state === 'sync');
  }, 'the replica is synchronous');
  await progress(load, ACKNOWLEDGED_MIN);
  await forSeconds(seconds);

  stage.say(`${load.acknowledged.length} acknowledged; the database is killed and the replica promoted`);
  await primary.end('SIGKILL');
  const host = clusterFolder(follower.dataDir);
  const promoted = openBooks(stage, { ...address.connection, host });
  const startedAt = performance.now();
  await promoted.query('select pg_promote()');
  const tookMs = Math.round(performance.now() - startedAt);
  await address.pointAt(follower);
  await progress(load, ACKNOWLEDGED_MIN);
  stage.found('the replica took over', { holds: true, detail: `promoted in ${tookMs} ms` });
  stage.found('the server kept running', {
    holds: service.exits.length === 0,
    detail: `process ${service.pid()}`,
  });
  await settle(stage, { load, pool: promoted });
};

export const replica: Drill = {
  name: 'replica',
  about: 'the database is killed under load, and its synchronous replica is promoted',
  seconds: 3,
  play,
};
