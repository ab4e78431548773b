// GET /jobs, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JOB_PURPOSES } from '../../server/src/modules/jobs/present.ts';
import { until } from '../../tools/until.ts';
import type { TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
const jobsOf = async (app: TestApp): Promise<any[]> => {
  const answer = await app.call('GET /jobs', { key: await app.key(['support']) });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.jobs;
};

test('200 says of every job what it does and when', async (t) => {
  const jobs = await jobsOf(await openApp(t, { sandbox: true }));
  assert.deepEqual(jobs.map(({ name }) => name).toSorted(), Object.keys(JOB_PURPOSES).toSorted());
  for (const { name, purpose, schedule, failedRuns } of jobs) {
    assert.ok(purpose.length > 10, name);
    assert.equal(schedule.split(' ').length, 5, name);
    assert.equal(failedRuns, 0, name);
  }
});

test('200 shows the result of a job that ran at the start of the server', async (t) => {
  const app = await openApp(t);
  const find = async (name: string) => (await jobsOf(app)).find((job) => job.name === name);
  await until(async () => (await find('check-proof')).lastRunAt !== null, 'the proof was checked');
  const { lastOutcome, lastProblem, lastRunAt } = await find('check-proof');
  assert.deepEqual([lastOutcome, lastProblem], ['succeeded', null]);
  assert.match(lastRunAt, /^\d{4}-\d\d-\d\dT/);
});

test('200 shows runs on other servers, from the queue', async (t) => {
  const app = await openApp(t);
  await app.sql(`insert into pgboss.job (name, state, policy, completed_on)
    select name, 'failed', policy, now() + interval '1 hour' from pgboss.queue where name = 'clear-out'`);
  const job = (await jobsOf(app)).find(({ name }) => name === 'clear-out');
  assert.deepEqual([job.lastOutcome, job.lastProblem, job.failedRuns], ['failed', null, 1]);
});
