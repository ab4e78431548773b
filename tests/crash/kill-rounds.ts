// Kills a server, or its PostgreSQL, under a load of credits. After each kill it checks every acknowledged
// credit and repeats the requests without an answer.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { postgresPid } from '../../tools/drills/server.ts';
import { newLoad, runLoad, settleLoad } from '../../tools/load/credit-load.ts';
import {
  newKey,
  newUser,
  openEmbedded,
  type ServerProcess,
  seeded,
  startServer,
} from '../../tools/processes/server-process.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { until } from '../../tools/until.ts';

type Victim = 'server' | 'postgres';

const WORKERS = 16;
const CREDITS_MAX = 300;
/** A lane that waits its ten seconds tries fourteen times. */
const RETRIES_MAX = 10;

const kill = async (victim: Victim, { server, dataDir }: { server: ServerProcess; dataDir: string }): Promise<void> => {
  if (victim === 'server') {
    await server.kill('SIGKILL');
    return;
  }
  process.kill((await postgresPid(dataDir))!, 'SIGKILL');
  const { code } = await server.exited;
  assert.equal(code, 1);
  assert.match(server.said(), /PostgreSQL ended on its own/);
  const retries = server.said().match(/the database is unreachable; retrying/g) ?? [];
  assert.ok(
    retries.length < RETRIES_MAX,
    `the server tried ${retries.length} times to reach a PostgreSQL that had ended`,
  );
};

/** One kill after the other, in one data folder. Returns how many requests each kill interrupted. */
export const killUnderLoad = async (t: TestContext, victims: readonly Victim[]): Promise<number[]> => {
  const dataDir = await temporaryFolder(t);
  const random = seeded(2_026);
  const start = () => startServer(t, { dataDir, env: { LOG_LEVEL: 'warn' } });
  let server = await start();
  const key = await newKey(server.url);
  const userIds = await Promise.all([1, 2, 3].map((n) => newUser(server.url, { key, externalUserId: `u${n}` })));
  const load = newLoad();
  const cutOff: number[] = [];
  for (const victim of victims) {
    const target = load.acknowledged.length + 1 + Math.floor(random() * CREDITS_MAX);
    const running = runLoad(server.url, { key, userIds, workers: WORKERS, load });
    await until(() => load.acknowledged.length >= target, 'enough credits are acknowledged');
    await kill(victim, { server, dataDir });
    await running;
    cutOff.push(load.unanswered.length);

    server = await start();
    await settleLoad(server.url, { key, load, pool: openEmbedded(t, dataDir) });
    load.acknowledged.push(...load.unanswered.splice(0));
  }
  assert.equal((await server.kill('SIGTERM')).code, 0);
  return cutOff;
};
