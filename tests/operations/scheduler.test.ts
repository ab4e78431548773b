// Runs of a job that are requested besides its schedule.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScheduler } from '../../server/src/jobs/scheduler.ts';
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
