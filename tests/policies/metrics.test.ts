// The metrics of deadlines: what is overdue and for how long, and what was carried out, by kind and outcome.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { DAY, openPolicies } from './fixture.ts';

test('overdue deadlines, their age, what was carried out and reminders are counted', async (t) => {
  const { governed, advance, fault, simulator, app, get, untilStatus } = await openPolicies(t);
  const figure = async (name: string): Promise<number> => {
    const text = await (await fetch(new URL('/metrics', app.url))).text();
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1] ?? 0,
    );
  };
  const { id } = await governed({ autoReleaseAfter: 'P7D', remindBefore: ['P1D'] }, { at: 'IN_PROGRESS' });
  assert.equal(await figure('holdfast_deadlines_overdue'), 0);
  assert.equal(await figure('holdfast_deadlines_overdue_oldest_seconds'), 0);
  await fault('release', 'outage', { count: 1_000 });
  const requested = app.call(`POST /orders/${id}/resolution/release`);
  await until(async () => (await get(id)).status === 'RELEASE_REQUESTED', 'the release is requested');
  await advance(7 * DAY + 600);
  await until(async () => (await figure('holdfast_deadline_reminders_total')) === 1, 'the reminder');
  await until(
    async () => (await figure('holdfast_deadlines_passed_total{kind="auto_release",outcome="WAITS"}')) > 0,
    'the release waits for the operation',
  );
  assert.equal(await figure('holdfast_deadlines_overdue'), 1);
  assert.ok((await figure('holdfast_deadlines_overdue_oldest_seconds')) >= 600);
  await simulator('DELETE /faults');
  await untilStatus(id, 'CLOSED');
  await requested;
  assert.equal(await figure('holdfast_deadlines_overdue'), 0);
  const other = await governed({ cancelUnfundedAfter: 'P1D' });
  await advance(DAY);
  await untilStatus(other.id, 'CLOSED');
  assert.equal(await figure('holdfast_deadlines_passed_total{kind="cancel_unfunded",outcome="CANCEL"}'), 1);
});
