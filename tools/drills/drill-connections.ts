// Drill: another program takes every connection of the database, and the server loses its own. Callers are told to come
// again, and when there is room it goes on by itself.

import pg from 'pg';
import { type Address, openAddress, openBooks, runDatabase } from './database.ts';
import { beginLoad, progress, settle } from './load.ts';
import { runService } from './server.ts';
import { type Drill, forSeconds, type Stage, until } from './stage.ts';

const CONNECTIONS_MAX = 30;
const ACKNOWLEDGED_MIN = 50;
const EVICT = `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'holdfast%'`;

type Hog = { taken(): number; query(text: string): Promise<pg.QueryResult>; leave(): Promise<void> };

/** Takes whatever becomes free, faster than anybody who asks politely. */
const openHog = (stage: Stage, { connection }: Address): Hog => {
  const held: pg.Client[] = [];
  let leaving = false;
  const grab = async (): Promise<void> => {
    while (!leaving) {
      const client = new pg.Client({ ...connection, application_name: 'hog' });
      client.on('error', () => {});
      const isIn = await client.connect().then(
        () => true,
        () => false,
      );
      if (isIn) held.push(client);
      else await forSeconds(0.002);
    }
  };
  const grabbing = Promise.all([grab(), grab(), grab(), grab()]);
  const leave = async (): Promise<void> => {
    leaving = true;
    await grabbing;
    await Promise.all(held.splice(0).map((client) => client.end()));
  };
  stage.afterwards(leave);
  return { taken: () => held.length, query: (text) => held[0]!.query(text), leave };
};

const play: Drill['play'] = async (stage, { seconds }) => {
  const settings = { max_connections: CONNECTIONS_MAX, superuser_reserved_connections: 0 };
  const database = await runDatabase(stage, { dataDir: await stage.folder(), settings });
  const address = await openAddress(stage);
  await address.pointAt(database);
  const service = await runService(stage, { dataDir: await stage.folder(), env: { DATABASE_URL: address.url } });
  const load = await beginLoad(stage, service);
  await progress(load, ACKNOWLEDGED_MIN);

  const hog = openHog(stage, address);
  await until(() => hog.taken() > 0, 'the hog is in');
  await progress(load, ACKNOWLEDGED_MIN);
  stage.say(
    `Another client took ${hog.taken()} of ${CONNECTIONS_MAX} connections; now the connections of the server are closed`,
  );
  // Server and program compete for free connections; at some point the program has all of them.
  await until(async () => {
    await hog.query(EVICT);
    return hog.taken() >= CONNECTIONS_MAX;
  }, 'the hog has everything');
  const before = load.acknowledged.length;
  await forSeconds(seconds);
  stage.found('no connection was left for the server', {
    holds: hog.taken() >= CONNECTIONS_MAX && load.acknowledged.length === before,
    detail: `${hog.taken()} of ${CONNECTIONS_MAX} taken for ${seconds} s`,
  });
  await hog.leave();
  stage.say('The other client has closed its connections');
  await progress(load, ACKNOWLEDGED_MIN);
  stage.found('the server kept running', {
    holds: service.exits.length === 0,
    detail: `process ${service.pid()}`,
  });
  await settle(stage, { load, pool: openBooks(stage, address.connection) });
};

export const connections: Drill = {
  name: 'connections',
  about: 'another program takes every connection of the database',
  seconds: 15,
  play,
};
