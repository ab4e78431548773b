// Runs of a job that are requested besides its schedule.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../server/src/config/config.ts';
import { createScheduler } from '../../server/src/jobs/scheduler.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { until } from '../../tools/until.ts';

test('while a requested run lasts, at most one more waits for its end', async () => {
  const ends: (() => void)[] = [];
  const job = { name: 'compare', schedule: '* * * * *', run: () => new Promise<void>((end) => void ends.push(end)) };
  const scheduler = createScheduler({ connection: {}, jobs: [job], onError() {} });
  const request = (times: number) => {
    for (let i = 0; i < times; i++) scheduler.runNow('compare');
  };
  request(10);
  await until(() => ends.length === 1, 'the first run');
  request(10);
  assert.equal(ends.length, 1);
  ends[0]!();
  await until(() => ends.length === 2, 'the run that waited: the first one may have read too early');
  ends[1]!();
  request(1);
  await until(() => ends.length === 3, 'a run after all have ended');
  ends[2]!();
  await scheduler.stop();
});

test('records of finished jobs are kept as long as JOB_RETENTION_DAYS says, also in queues of an earlier start', async (t) => {
  const read = (env: Record<string, string>) => {
    const config = readConfig(env);
    assert.ok(config.ok);
    return config.config.jobs.retentionMs;
  };
  const database = await createDatabase();
  afterwards(t, () => database.drop());
  const pool = openPool(database.connection, { max: 1, onError() {} });
  afterwards(t, () => pool.end());
  const job = { name: 'clear-out', schedule: '0 0 1 1 *', run: async () => {} };
  for (const [env, seconds] of [
    [{}, 604_800],
    [{ JOB_RETENTION_DAYS: '2' }, 172_800],
    [{ JOB_RETENTION_DAYS: '30' }, 2_592_000],
  ] as const) {
    const { connection } = database;
    const scheduler = createScheduler({ connection, jobs: [job], keepFinishedMs: read(env), onError() {} });
    await scheduler.start();
    const { rows } = await pool.query(
      `select deletion_seconds::int as seconds from pgboss.queue where name = 'clear-out'`,
    );
    await scheduler.stop();
    assert.equal(rows[0].seconds, seconds);
  }
});
