// Drill: a separate PostgreSQL is stopped under load and started again: by a fast shutdown, an immediate shutdown and kill -9. The
// server keeps running, waits and continues.

import { openAddress, openBooks, runDatabase } from './database.ts';
import { beginLoad, progress, settle } from './load.ts';
import { runService } from './server.ts';
import { type Drill, forSeconds } from './stage.ts';

const MANNERS = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const;
const ACKNOWLEDGED_MIN = 50;

const play: Drill['play'] = async (stage, { seconds }) => {
  const database = await runDatabase(stage, { dataDir: await stage.folder() });
  const address = await openAddress(stage);
  await address.pointAt(database);
  const service = await runService(stage, { dataDir: await stage.folder(), env: { DATABASE_URL: address.url } });
  const load = await beginLoad(stage, service);
  for (const signal of MANNERS) {
    await progress(load, ACKNOWLEDGED_MIN);
    stage.say(`${load.acknowledged.length} acknowledged; PostgreSQL gets ${signal} and stays stopped for ${seconds} s`);
    await database.end(signal);
    await forSeconds(seconds);
    await database.start();
  }
  await progress(load, ACKNOWLEDGED_MIN);
  stage.found('the server kept running', {
    holds: service.exits.length === 0,
    detail: `process ${service.pid()} the whole time`,
  });
  await settle(stage, { load, pool: openBooks(stage, address.connection) });
};

export const restartPostgres: Drill = {
  name: 'restart-postgres',
  about: 'a separate PostgreSQL is stopped in three ways under load (fast, immediate, kill -9) and started again',
  seconds: 3,
  play,
};
