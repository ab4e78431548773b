// POST /jobs/{name}/retry, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { codeOf, startApp, type TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { assertScope } from './report-fixture.ts';

const failOnce = (app: TestApp, name: string) =>
  app.sql(
    `insert into pgboss.job (name, state, policy, completed_on)
     select name, 'failed', policy, now() from pgboss.queue where name = $1`,
    [name],
  );

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
const jobOf = async (app: TestApp, name: string): Promise<any> =>
  (await app.call('GET /jobs')).body.data.jobs.find((job: { name: string }) => job.name === name);

test('202 runs a failed job again at once, and the audit trail names the caller', async (t) => {
  // Other tests count the failed jobs of the shared server.
  const app = await startApp(t);
  await failOnce(app, 'clear-out');
  assert.equal((await jobOf(app, 'clear-out')).lastOutcome, 'failed');
  const answer = await app.call('POST /jobs/clear-out/retry', { key: await app.key(['support']) });
  assert.equal(answer.status, 202, answer.text);
  assert.deepEqual([answer.body.data.name, answer.body.data.lastOutcome], ['clear-out', 'failed']);
  await until(async () => (await jobOf(app, 'clear-out')).lastOutcome === 'succeeded', 'the job has run again');
  const { body } = await app.call('GET /audit/logs?resourceId=clear-out');
  assert.deepEqual(
    body.data.data.map(({ action, resourceType }: { action: string; resourceType: string }) => [action, resourceType]),
    [['JOB_RETRIED', 'Job']],
  );
});

test('409 INVALID_STATE for a job that did not fail, 404 JOB_NOT_FOUND for none', async (t) => {
  const app = await openApp(t);
  const refused = await app.call('POST /jobs/expire-withdrawals/retry');
  assert.equal(codeOf(refused), '409 INVALID_STATE');
  assert.match(refused.body.error.message, /runs again on its schedule/);
  assert.equal(codeOf(await app.call('POST /jobs/none/retry')), '404 JOB_NOT_FOUND');
});

test('401 and 403 without the scope of support', async (t) => {
  await assertScope(await openApp(t), 'POST /jobs/clear-out/retry', 'support');
});
