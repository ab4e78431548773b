// The rules of alerts: many at once are one event, a condition that comes back is a new alert, two servers announce once, and nothing is
// lost when a server dies between two steps.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SYSTEM_ALERT_KINDS, type SystemAlertKind } from '@holdfast/contract/states.ts';
import type { Submit } from '../../server/src/commit/command.ts';
import { checkAlerts } from '../../server/src/modules/alerts/check-alerts.ts';
import type { ReadConditions, SeenCondition } from '../../server/src/modules/alerts/conditions.ts';
import { createAlertReads } from '../../server/src/modules/alerts/queries.ts';
import { trimAlerts } from '../../server/src/modules/alerts/trim-alerts.ts';
import type { Hooks } from '../../tools/test-database/afterwards.ts';
import { type Fixture, openAnotherCommitter, openPlace } from '../commit/fixture.ts';

const SINCE = '2026-11-15T09:30:00.000000Z';

/** The job with conditions that the test sets. */
const openJob = async (t: Hooks, fixture?: Fixture) => {
  const { pool, committer, marketplaceId } = fixture ?? (await openPlace(t));
  let seen: SeenCondition[] = [];
  let isPartial = false;
  const troubles: string[] = [];
  const conditions = Object.fromEntries(
    SYSTEM_ALERT_KINDS.map((kind) => [kind, async () => (kind === 'WITHDRAWAL_STUCK' ? seen : [])]),
  ) as unknown as Record<SystemAlertKind, ReadConditions>;
  // The tests of this file share a database: a job closes only alerts of its own marketplace.
  const reads = createAlertReads(pool);
  const own = async () => (await reads.listOpen()).filter((alert) => alert.marketplaceId === marketplaceId);
  const jobWith = (submit: Submit) =>
    checkAlerts({
      reads: { listOpen: own },
      conditions,
      submit,
      isPartial: () => isPartial,
      isMailed: false,
      onTrouble: (message) => void troubles.push(message),
    });
  const query = async (text: string) => (await pool.query(text, [marketplaceId])).rows;
  return {
    pool,
    query,
    troubles,
    conditions,
    jobWith,
    check: () => jobWith(committer.submit).run(),
    submit: committer.submit,
    /** A machine of a distributed database does not answer. */
    lose(isLost: boolean) {
      isPartial = isLost;
    },
    see(...subjects: string[]) {
      seen = subjects.map((subject) => ({ marketplaceId, subject, message: `See ${subject}.`, since: SINCE }));
    },
    rows: () => query('select id, subject, closed_at from alerts where marketplace_id = $1 order by id'),
    events: async () =>
      (
        await query(`select event_type as type, envelope::jsonb -> 'payload' as payload from events
          where marketplace_id = $1 order by position`)
      ).map(({ type, payload }) => ({ type, ...payload })),
  };
};

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `wdr_${index + 1}`);

test('five new alerts are five events, and six are one event with the count', async (t) => {
  const job = await openJob(t);
  job.see(...names(5));
  await job.check();
  const single = await job.events();
  assert.deepEqual(
    single.map(({ type, count, subjects, message, since }) => [type, count, subjects, message, since]),
    names(5).map((name) => ['system.withdrawal_stuck', 1, [name], `See ${name}.`, SINCE]),
  );
  job.see(...names(5), ...names(35).slice(5));
  await job.check();
  const [grouped, ...more] = (await job.events()).slice(5);
  assert.equal(more.length, 0);
  assert.equal(grouped.count, 30);
  assert.deepEqual(grouped.subjects, names(35).slice(5, 25));
  assert.match(grouped.message, /^30 stuck withdrawals\. Look up the payouts/);
  job.see();
  await job.check();
  const [ended, ...others] = (await job.events()).slice(6);
  assert.equal(others.length, 0);
  assert.deepEqual([ended.type, ended.count], ['system.withdrawal_recovered', 35]);
  assert.equal((await job.rows()).filter(({ closed_at }) => closed_at === null).length, 0);
});

test('a condition that ends and comes back is a new alert', async (t) => {
  const job = await openJob(t);
  for (const subjects of [['wdr_1'], [], ['wdr_1']]) {
    job.see(...subjects);
    await job.check();
  }
  const rows = await job.rows();
  assert.equal(new Set(rows.map(({ id }) => id)).size, 2);
  assert.deepEqual(
    rows.map(({ closed_at }) => closed_at === null),
    [false, true],
  );
  assert.equal((await job.events()).length, 3);
});

test('two servers that see the same condition at once announce it once, and its end once', async (t) => {
  const first = await openPlace(t);
  const jobs = [await openJob(t, first), await openJob(t, await openAnotherCommitter(t, first))];
  for (const subjects of [names(3), []]) {
    for (const job of jobs) job.see(...subjects);
    await Promise.all(jobs.flatMap((job) => [job.check(), job.check()]));
  }
  assert.deepEqual(
    jobs.map(({ troubles }) => troubles),
    [[], []],
  );
  assert.equal((await jobs[0]!.rows()).length, 3);
  assert.equal((await jobs[0]!.events()).length, 6);
});

test('a server that dies before or after the commit of an alert announces it once', async (t) => {
  const job = await openJob(t);
  const dead: Submit = () => Promise.reject(new Error('killed before the commit'));
  job.see('wdr_1');
  await job.jobWith(dead).run();
  assert.deepEqual([job.troubles.length, (await job.rows()).length], [1, 0]);
  const lost: Submit = async (submission) => {
    await job.submit(submission);
    throw new Error('killed after the commit');
  };
  await job.jobWith(lost).run();
  await job.check();
  assert.deepEqual(
    (await job.events()).map(({ type }) => type),
    ['system.withdrawal_stuck'],
  );
  job.see();
  await job.jobWith(dead).run();
  await job.jobWith(lost).run();
  await job.check();
  assert.equal((await job.events()).length, 2);
});

test('a kind whose conditions cannot be read keeps its alerts and delays no other kind', async (t) => {
  const job = await openJob(t);
  job.see('wdr_1');
  await job.check();
  job.conditions.BREAK = () => Promise.reject(new Error('no answer'));
  job.see('wdr_1', 'wdr_2');
  await job.check();
  assert.deepEqual(job.troubles, ['the conditions of the alert BREAK could not be read']);
  assert.equal((await job.rows()).length, 2);
  job.conditions.WITHDRAWAL_STUCK = () => Promise.reject(new Error('no answer'));
  await job.check();
  assert.ok((await job.rows()).every(({ closed_at }) => closed_at === null));
});

test('while the conditions of some marketplaces are missing no alert ends, and new ones are opened', async (t) => {
  const job = await openJob(t);
  job.see('wdr_1');
  await job.check();
  job.lose(true);
  job.see('wdr_2');
  await job.check();
  const open = async () => (await job.rows()).filter((row) => row.closed_at === null).map(({ subject }) => subject);
  assert.deepEqual(await open(), ['wdr_1', 'wdr_2']);
  job.lose(false);
  await job.check();
  assert.deepEqual(await open(), ['wdr_2']);
});

test('an alert that has ended is deleted after its retention; an open one and one with a due e-mail stay', async (t) => {
  const job = await openJob(t);
  job.see('wdr_ended', 'wdr_mailed', 'wdr_open');
  await job.check();
  job.see('wdr_open');
  await job.check();
  await job.query("update alerts set closed_mail = 'DUE' where marketplace_id = $1 and subject = 'wdr_mailed'");
  const subjects = async () => (await job.rows()).map(({ subject }) => subject).sort();

  await trimAlerts(job.pool, { olderThan: '2026-11-15T09:30:00Z', batch: 10 });
  assert.deepEqual(await subjects(), ['wdr_ended', 'wdr_mailed', 'wdr_open'], 'they ended later than that');
  await trimAlerts(job.pool, { olderThan: '2999-01-01T00:00:00Z', batch: 10 });
  assert.deepEqual(await subjects(), ['wdr_mailed', 'wdr_open']);
});
