// Drill: a server of a next version starts beside the old one behind a load balancer, brings the schema up to date, and the
// old one is stopped, while everything is at work. The migration meets a long read: if it waited for it, everybody would.

import { Holdfast } from '@holdfast/sdk';
import type pg from 'pg';
import { type Balancer, HAPROXY_MISSING, startBalancer } from '../cluster/balancer.ts';
import { openAddress, openBooks, runDatabase } from './database.ts';
import { endings, type Market, openMarket } from './market.ts';
import { openReaders, proveMarket } from './market-proof.ts';
import { makeNextVersion, type NextVersion } from './next-version.ts';
import { runSandbox } from './sandbox.ts';
import { freePort, runService, type Service } from './server.ts';
import { type Drill, forSeconds, notPlayed, type Stage, until } from './stage.ts';

const ENDED_MIN = 2;
const CREDITS_MIN = 20;
const SDK_RETRIES = 3;

const WAITING = `select 1 from pg_locks where not granted and mode = 'AccessExclusiveLock'`;
const APPLIED = 'select name from schema_migrations order by name desc limit 1';

const allHealthy = (balancer: Balancer, count: number): Promise<void> =>
  until(
    async () => (await balancer.readPlaces()).filter(({ isIn }) => isIn).length === count,
    `${count} servers are healthy`,
  );

type Meeting = { start(): Promise<Service>; next: NextVersion; pool: pg.Pool; market: Market; seconds: number };

/** How many credits went through while the migration could not have its table. */
const meet = async (reader: pg.PoolClient, { start, pool, market, seconds }: Meeting) => {
  const { credits } = market.payments;
  await reader.query('begin');
  await reader.query('select count(*) from accounts, orders');
  const starting = start();
  starting.catch(() => {});
  await until(async () => (await pool.query(WAITING)).rowCount! > 0, 'the migration has met the reader');
  const before = credits.length;
  await until(() => credits.length >= before + CREDITS_MIN, `${CREDITS_MIN} credits while the migration waits`);
  await forSeconds(seconds);
  const during = credits.length - before;
  await reader.query('commit');
  return { starting, during };
};

/** A long read of the tables that the migration changes, like a report or a backup, while the new server starts. */
const startBeside = async (stage: Stage, of: Meeting): Promise<Service> => {
  const { pool, next } = of;
  const reader = await pool.connect();
  // Whatever happens, it lets go: a pool does not end before all of its connections are back.
  const { starting, during } = await meet(reader, of).finally(() => reader.release());
  const service = await starting;
  const { name } = (await pool.query<{ name: string }>(APPLIED)).rows[0]!;
  stage.found('a migration that waits for a table does not block other transactions', {
    holds: name === next.migration,
    detail: `${during} credits while a long read kept ${name} from its table`,
  });
  return service;
};

const play: Drill['play'] = async (stage, { seconds }) => {
  const database = await runDatabase(stage, { dataDir: await stage.folder() });
  const address = await openAddress(stage);
  await address.pointAt(database);
  const oldPort = await freePort();
  const newPort = await freePort();
  const serverPorts = [oldPort, newPort];
  const balancer = await startBalancer({ port: await freePort(), serverPorts, folder: await stage.folder() });
  if (balancer === null) throw notPlayed(HAPROXY_MISSING, null);
  stage.afterwards(balancer.stop);
  const simulators = await runSandbox(stage, balancer.url);
  const env = { ...simulators.settings, DATABASE_URL: address.url, PUBLIC_URL: balancer.url, TRUST_PROXY: '1' };
  const old = await runService(stage, { dataDir: await stage.folder(), port: oldPort, env });
  await allHealthy(balancer, 1);
  const pool = openBooks(stage, address.connection);
  const { url } = balancer;
  const { masterKey } = old;
  const withdrawTo = ['crypto', 'payment_account'] as const;
  const market = await openMarket(stage, { url, masterKey, pool, simulators, withdrawTo, maxRetries: SDK_RETRIES });
  const readers = openReaders(stage, new Holdfast({ url, apiKey: masterKey }));
  const next = await makeNextVersion(stage);
  await endings(market, ENDED_MIN);

  stage.say(`${market.ended()} scenarios completed; a server of the next version starts in addition to the old one`);
  const dataDir = await stage.folder();
  const start = () => runService(stage, { dataDir, port: newPort, env, main: next.main });
  const service = await startBeside(stage, { start, next, pool, market, seconds });
  await allHealthy(balancer, 2);
  stage.say(`${market.ended()} scenarios completed; both servers work on the new schema`);
  await endings(market, ENDED_MIN);
  await forSeconds(seconds);
  stage.say(`${market.ended()} scenarios completed; the old server gets SIGTERM`);
  await old.stop();
  await allHealthy(balancer, 1);
  await endings(market, ENDED_MIN);
  await forSeconds(seconds);

  const ends = old.exits.map(({ code, signal }) => signal ?? `code ${code}`);
  stage.found('the old server worked until SIGTERM and then stopped without a kill', {
    holds: ends.join() === 'code 0',
    detail: ends.join(', '),
  });
  stage.found('the new server kept running', { holds: service.exits.length === 0, detail: `process ${service.pid()}` });
  // A slow outside system, and a step that the other server has already taken, are no failures of the upgrade.
  const failed = [...market.refusals].filter(([code]) => code !== 'PROVIDER_TIMEOUT' && code !== 'INVALID_STATE');
  const repeated = `${market.repeated()} attempts were repeated`;
  stage.found('no caller saw a failure: the SDK repeated what a stopping server refused', {
    holds: failed.length === 0,
    detail: failed.map(([code, count]) => `${count} ${code}`).join(', ') || repeated,
  });
  await proveMarket(stage, { market, readers, pool, simulators });
};

export const upgrade: Drill = {
  name: 'upgrade',
  about: 'the next version, with a migration, replaces the old version behind a load balancer, under load',
  seconds: 5,
  play,
};
