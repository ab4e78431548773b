// Deadlines follow the simulators' clock, and wait while an operation runs on their order.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { DAY, openPolicies } from './fixture.ts';

test('the control port moves the clock too, and a jump over several deadlines passes each once', async (t) => {
  const { governed, simulator, untilStatus, payloadsOf, app } = await openPolicies(t);
  const rules = { cancelUnfundedAfter: 'P3D', remindBefore: ['P2D', 'P1D', 'PT1H'] };
  const { id } = await governed(rules, { at: 'FUNDS_RESERVED' });
  await simulator('POST /clock/advance', { seconds: 30 * DAY });
  const order = await untilStatus(id, 'CLOSED');
  assert.equal(order.deadlines.at(-1).status, 'DONE');
  assert.equal((await payloadsOf(id, 'order.deadline_passed')).length, 1);
  // Reminders that were due at the same moment came before, and none comes after.
  const types = await app.sql(
    "select event_type as type from events where aggregate_id = $1 and event_type like 'order.deadline%' order by position",
    [id],
  );
  assert.equal(types.at(-1).type, 'order.deadline_passed');
  assert.ok(order.deadlines.every(({ status }: { status: string }) => status === 'DONE' || status === 'CANCELED'));
});

test('times of deadlines are on the clock of the simulators; other times stay on the wall clock', async (t) => {
  const { governed, advance } = await openPolicies(t);
  await advance(10 * DAY);
  const { deadlines, createdAt } = await governed({ cancelUnfundedAfter: 'P1D' });
  const wall = Date.now();
  assert.ok(Math.abs(Date.parse(createdAt) - wall) < 60_000);
  assert.ok(Math.abs(Date.parse(deadlines[0].at) - wall - 11 * DAY * 1_000) < 60_000);
});

test('a deadline waits while an operation runs, without a trace, and is pointless when that closes the order', async (t) => {
  const { governed, advance, fault, app, get, simulator, untilStatus, deadlinesOf } = await openPolicies(t);
  const { id } = await governed({ autoReleaseAfter: 'P7D' }, { at: 'IN_PROGRESS' });
  await fault('release', 'outage', { count: 1_000 });
  const requested = app.call(`POST /orders/${id}/resolution/release`);
  await until(async () => (await get(id)).status === 'RELEASE_REQUESTED', 'the release is requested');
  await advance(7 * DAY);
  // A later deadline has passed, so the earlier one was tried.
  const other = await governed({ cancelUnfundedAfter: 'PT1S' });
  await until(async () => (await get(other.id)).status === 'CLOSED', 'the other order is canceled');
  assert.deepEqual(await deadlinesOf(id), ['auto_release PENDING']);
  const trace = () => app.sql("select 1 from audit_entries where resource_id = $1 and action like 'DEADLINE%'", [id]);
  assert.equal((await trace()).length, 0);
  await simulator('DELETE /faults');
  await untilStatus(id, 'CLOSED');
  await requested;
  assert.deepEqual(await deadlinesOf(id), ['auto_release CANCELED']);
  assert.equal((await trace()).length, 0);
});
