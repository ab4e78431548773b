// What an operator has decided about a deadline stays when the order changes, and the rows of an order stay few however often it changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR, openPolicies } from './fixture.ts';

type Row = { kind: string; status: string; at: string; ref: string; disputeId: string };

const FIVE = ['P1D', 'P2D', 'P3D', 'P4D', 'P5D'];

const openReleasing = async (t: Parameters<typeof openPolicies>[0], rules: object = { autoReleaseAfter: 'PT1H' }) => {
  const policies = await openPolicies(t);
  const { governed, done, get, app } = policies;
  const order = await governed(rules, { at: 'IN_PROGRESS', milestones: ['40.00', '30.00', '30.00'] });
  const { id } = order;
  for (const ref of ['m1', 'm2', 'm3']) await done(`POST /orders/${id}/milestones/${ref}/complete`);
  return {
    ...policies,
    id,
    change: (action: string, body: object = {}) =>
      done(`POST /orders/${id}/deadlines/auto_release/${action}`, { body: { reason: 'A check.', ...body } }),
    async release(): Promise<Row> {
      return (await get(id)).deadlines.find(({ kind }: Row) => kind === 'auto_release');
    },
    async dispute(ref: string): Promise<string> {
      const body = { openedBy: 'BUYER', reason: 'QUALITY_ISSUE' };
      const { milestones } = await done(`POST /orders/${id}/milestones/${ref}/dispute`, { body });
      return milestones.find((each: Row) => each.ref === ref).disputeId;
    },
    async decide(disputeId: string): Promise<void> {
      await done(`POST /disputes/${disputeId}/assign`, { body: { assignedTo: 'support-1' } });
      await done(`POST /disputes/${disputeId}/resolve`, { body: { decision: 'FULL_REFUND' } });
    },
    audited: () =>
      app.sql(
        `select action, payload_after::jsonb ->> 'at' as at, payload_after::jsonb ->> 'status' as status from audit_entries
         where resource_id = $1 and action like 'DEADLINE%' order by seq`,
        [id],
      ),
  };
};

const inDays = (days: number): string => new Date(Date.now() + days * DAY * 1_000).toISOString();

test('a held and extended release stays held until its time when a milestone is disputed and decided', async (t) => {
  const { id, change, release, dispute, decide, advance, get, audited } = await openReleasing(t);
  const until = inDays(30);
  await change('extend', { until });
  await change('hold');
  const held = await release();
  assert.deepEqual([held.status, Date.parse(held.at)], ['HELD', Date.parse(until)]);
  const disputeId = await dispute('m1');
  assert.deepEqual(await release(), held);
  await decide(disputeId);
  assert.deepEqual(await release(), held);
  await advance(2 * HOUR);
  assert.equal((await get(id)).status, 'IN_PROGRESS');
  assert.deepEqual(
    (await audited()).map(({ action }) => action),
    ['DEADLINE_EXTENDED', 'DEADLINE_HELD'],
  );
});

test('a canceled release returns in its own row: with the time of an extension, or with a new period', async (t) => {
  const { change, release, dispute, decide, audited, get, id } = await openReleasing(t);
  const first = await release();
  const one = await dispute('m1');
  assert.deepEqual(await release(), { ...first, status: 'CANCELED' });
  await decide(one);
  const returned = await release();
  assert.equal(returned.status, 'PENDING');
  assert.ok(returned.at > first.at);

  const until = inDays(30);
  await change('extend', { until });
  await decide(await dispute('m2'));
  const extended = await release();
  assert.deepEqual([extended.status, Date.parse(extended.at)], ['PENDING', Date.parse(until)]);
  assert.equal((await get(id)).deadlines.length, 1);
  const entries = await audited();
  assert.deepEqual(
    entries.map(({ action, status }) => [action, status]),
    [
      ['DEADLINE_RESTORED', 'PENDING'],
      ['DEADLINE_EXTENDED', 'PENDING'],
      ['DEADLINE_RESTORED', 'PENDING'],
    ],
  );
  assert.deepEqual([entries[0].at, entries[2].at], [returned.at, extended.at]);
});

test('a release that is resumed during the dispute of a milestone is canceled until the decision', async (t) => {
  const { change, release, dispute, decide, audited } = await openReleasing(t);
  await change('hold');
  const disputeId = await dispute('m1');
  const { deadlines } = await change('resume');
  assert.equal(deadlines[0].status, 'CANCELED');
  assert.deepEqual(
    (await audited()).map(({ action, status }) => [action, status]),
    [
      ['DEADLINE_HELD', 'HELD'],
      ['DEADLINE_RESUMED', 'CANCELED'],
    ],
  );
  await decide(disputeId);
  assert.equal((await release()).status, 'PENDING');
});

test('a hold stays when a release is requested and the provider refuses it', async (t) => {
  const { id, change, release, app, fault, untilStatus } = await openReleasing(t);
  await change('extend', { until: inDays(30) });
  await change('hold');
  const held = await release();
  await fault('change-status', 'refusal');
  const refused = await app.call(`POST /orders/${id}/resolution/release`, { body: {} });
  assert.ok(refused.status >= 400, refused.text);
  await untilStatus(id, 'IN_PROGRESS');
  assert.deepEqual(await release(), held);
});

test('reminders move in their rows: holds and extensions leave as many as the policy has', async (t) => {
  const { governed, done, get, advance, untilDeadlines, payloadsOf } = await openPolicies(t);
  const rules = { autoReleaseAfter: 'P30D', remindBefore: FIVE };
  const { id } = await governed(rules, { at: 'IN_PROGRESS' });
  const change = (action: string, body: object = {}) =>
    done(`POST /orders/${id}/deadlines/auto_release/${action}`, { body });
  for (let time = 0; time < 10; time++) {
    const held = await change('hold');
    assert.deepEqual(
      held.deadlines.map(({ kind, status }: Row) => `${kind} ${status}`),
      [...FIVE.map(() => 'reminder CANCELED'), 'auto_release HELD'],
    );
    await change('resume');
    await change('extend', { until: inDays(40 + time) });
  }
  const { deadlines } = await get(id);
  const release = deadlines.at(-1);
  assert.equal(release.kind, 'auto_release');
  assert.deepEqual(
    deadlines.map(({ status, at }: Row) => [status, (Date.parse(release.at) - Date.parse(at)) / (DAY * 1_000)]),
    [5, 4, 3, 2, 1, 0].map((days) => ['PENDING', days]),
  );

  // One that has reminded is moved too, and reminds again of the new time.
  await advance(44.5 * DAY);
  const pending = [...FIVE.slice(1).map(() => 'reminder PENDING'), 'auto_release PENDING'];
  await untilDeadlines(id, ['reminder DONE', ...pending]);
  await change('extend', { until: inDays(60) });
  await untilDeadlines(id, ['reminder PENDING', ...pending]);
  await advance(11 * DAY);
  await untilDeadlines(id, ['reminder DONE', ...pending]);
  assert.equal((await payloadsOf(id, 'order.deadline_reminder')).length, 2);
});
