// A deadline whose work the provider certainly refuses is tried again after pauses that grow, and is held with an alert after the last one.
// An unknown outcome is no refusal: the operation goes on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { openAlertsOf, openChecker } from '../alerts/fixture.ts';
import { DAY, HOUR, openPolicies } from './fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would, and the assertions are the types
type Any = any;

type Opened = Awaited<ReturnType<typeof openPolicies>>;

/** Until the operation that the deadline began has ended, and another deadline stands in its place. */
const REFUSED_ONCE = ['auto_release DONE', 'auto_release PENDING'];

test('a refused release is tried again later, and then carried out once', async (t) => {
  const opened = await openPolicies(t);
  const { governed, advance, fault, simulator, untilDeadlines, untilStatus, payloadsOf, balance } = opened;
  const rules = { autoReleaseAfter: 'P7D', remindBefore: ['PT30S'] };
  const order = await governed(rules, { at: 'IN_PROGRESS' });
  await fault('release', 'refusal', { match: order.id, count: 1_000 });
  await advance(7 * DAY);
  await untilDeadlines(order.id, ['reminder DONE', ...REFUSED_ONCE]);
  const { status, operation, deadlines } = await opened.get(order.id);
  assert.deepEqual([status, operation], ['IN_PROGRESS', null]);
  assert.equal(deadlines[2].attempts, 1);
  assert.ok(deadlines[2].failure.length > 0);
  assert.equal(deadlines[1].attempts, undefined);
  assert.equal(deadlines[1].failure, deadlines[2].failure, 'the row that was refused says so');
  assert.ok(deadlines[2].at > deadlines[1].at);
  await simulator('DELETE /faults');
  await advance(60);
  const { finalStatus, deadlines: ended } = await untilStatus(order.id, 'CLOSED');
  assert.equal(finalStatus, 'RELEASED');
  assert.deepEqual(
    ended.map(({ kind, status: each }: Any) => `${kind} ${each}`),
    ['reminder DONE', 'auto_release DONE', 'auto_release DONE'],
  );
  assert.deepEqual([ended[2].attempts, ended[2].failure], [1, undefined], 'the row that has paid names no failure');
  assert.equal((await payloadsOf(order.id, 'order.released')).length, 1);
  assert.equal((await payloadsOf(order.id, 'order.deadline_reminder')).length, 1);
  assert.equal((await balance(order.sellerId)).available, '95.00');
  await opened.assertSound();
});

test('after six refusals the deadline is held with an alert; triggered after the cause is gone, it is carried out', async (t) => {
  const opened = await openPolicies(t);
  const { governed, advance, fault, simulator, untilDeadlines, untilStatus, done, app } = opened;
  const { id } = await governed({ autoReleaseAfter: 'P7D' }, { at: 'IN_PROGRESS' });
  await fault('release', 'refusal', { match: id, count: 1_000 });
  await advance(7 * DAY);
  const refused: string[] = [];
  for (const [place, pause] of [60, 5 * 60, HOUR / 2, 2 * HOUR, 8 * HOUR].entries()) {
    refused.push('auto_release DONE');
    await untilDeadlines(id, [...refused, 'auto_release PENDING']);
    const { attempts } = (await opened.get(id)).deadlines.at(-1);
    assert.equal(attempts, place + 1);
    await advance(pause);
  }
  await untilDeadlines(id, [...refused, 'auto_release DONE', 'auto_release HELD']);
  const { deadlines, status } = await opened.get(id);
  assert.deepEqual([deadlines.at(-1).attempts, status], [6, 'IN_PROGRESS']);
  const trail = await app.sql("select 1 from audit_entries where action = 'DEADLINE_REFUSED'");
  assert.equal(trail.length, 6);

  // The time of the simulators is days ahead, so this checker reads deadlines of the past.
  const [{ at }] = await app.sql("select max(at)::text as at from deadlines where status = 'HELD'");
  const { check } = await openChecker(t, { app, deadlineClock: () => Date.parse(at) * 1_000 + 1_000_000 });
  await check();
  assert.deepEqual(await openAlertsOf(app), [`DEADLINE_STUCK ${id}`]);
  const [{ message }] = await app.sql("select message from alerts where kind = 'DEADLINE_STUCK'");
  assert.match(
    message,
    /refused too often and is held: .*trigger the deadline, or extend and resume it, or settle the order\.$/,
  );

  await simulator('DELETE /faults');
  await done(`POST /orders/${id}/deadlines/auto_release/trigger`, { body: { reason: 'The provider is repaired' } });
  assert.equal((await untilStatus(id, 'CLOSED')).finalStatus, 'RELEASED');
  await check();
  assert.deepEqual(await openAlertsOf(app), []);
  await opened.assertSound();
});

/** Refused so often that the server holds the deadline. */
const heldByRefusals = async ({ governed, advance, fault, untilDeadlines }: Opened): Promise<string> => {
  const { id } = await governed({ autoReleaseAfter: 'P7D' }, { at: 'IN_PROGRESS' });
  await fault('release', 'refusal', { match: id, count: 1_000 });
  await advance(7 * DAY);
  const refused: string[] = [];
  for (const pause of [60, 5 * 60, HOUR / 2, 2 * HOUR, 8 * HOUR]) {
    refused.push('auto_release DONE');
    await untilDeadlines(id, [...refused, 'auto_release PENDING']);
    await advance(pause);
  }
  await untilDeadlines(id, [...refused, 'auto_release DONE', 'auto_release HELD']);
  return id;
};

test('a held deadline that an operator extends has no alert before its new time; the refund of the order cancels it', async (t) => {
  const opened = await openPolicies(t);
  const { deadlinesOf, done, app } = opened;
  const id = await heldByRefusals(opened);
  const [{ at }] = await app.sql("select max(at)::text as at from deadlines where status = 'HELD'");
  // The checker reads deadlines at this time, which the test moves.
  let now = Date.parse(at) + 1_000;
  const { check } = await openChecker(t, { app, deadlineClock: () => now * 1_000 });
  const alertsAt = async (time: number): Promise<string[]> => {
    now = time;
    await check();
    return openAlertsOf(app);
  };
  assert.deepEqual(await alertsAt(now), [`DEADLINE_STUCK ${id}`]);
  const extended = now + 3 * DAY * 1_000;
  await done(`POST /orders/${id}/deadlines/auto_release/extend`, {
    body: { until: new Date(extended).toISOString(), reason: 'The provider needs three days' },
  });
  assert.equal((await deadlinesOf(id)).at(-1), 'auto_release HELD');
  assert.deepEqual(await alertsAt(now), [], 'extended');
  assert.deepEqual(await alertsAt(extended - 1_000), [], 'before the new time');
  assert.deepEqual(await alertsAt(extended + 1_000), [`DEADLINE_STUCK ${id}`], 'after the new time');
  await done(`POST /orders/${id}/resolution/refund`, { body: { reason: 'agreed' } });
  assert.equal((await deadlinesOf(id)).at(-1), 'auto_release CANCELED');
  assert.deepEqual(await alertsAt(extended + 2_000), []);
  await opened.assertSound();
});

test('a deadline that an operator has held after a refusal has no alert', async (t) => {
  const { governed, advance, fault, untilDeadlines, done, app } = await openPolicies(t);
  const { id } = await governed({ autoReleaseAfter: 'P7D' }, { at: 'IN_PROGRESS' });
  await fault('release', 'refusal', { match: id, count: 1_000 });
  await advance(7 * DAY);
  await untilDeadlines(id, REFUSED_ONCE);
  await done(`POST /orders/${id}/deadlines/auto_release/hold`);
  const [{ at }] = await app.sql("select max(at)::text as at from deadlines where status = 'HELD'");
  const { check } = await openChecker(t, { app, deadlineClock: () => (Date.parse(at) + 1_000) * 1_000 });
  await check();
  assert.deepEqual(await openAlertsOf(app), []);
});

for (const [what, rules, call, kind] of [
  ['the decision of a dispute', { dispute: { decideWithin: 'P7D', then: 'REFUND' } }, 'resolve', 'dispute_decision'],
  [
    'the payment of a milestone',
    { milestoneInspection: { within: 'P7D', then: 'RELEASE' } },
    'release',
    'milestone_inspection',
  ],
] as const) {
  test(`${what} that is refused is tried again`, async (t) => {
    const opened = await openPolicies(t);
    const { governed, advance, fault, simulator, untilDeadlines, payloadsOf, done } = opened;
    const { id } = await governed(rules, { at: 'IN_PROGRESS', milestones: ['40.00', '60.00'] });
    if (kind === 'dispute_decision') {
      await done(`POST /orders/${id}/resolution/dispute`, {
        body: { orderId: id, openedBy: 'BUYER', reason: 'OTHER' },
      });
    } else await done(`POST /orders/${id}/milestones/m1/complete`);
    await fault(call, 'refusal', { match: id, count: 1_000 });
    await advance(7 * DAY);
    await untilDeadlines(id, [`${kind} DONE`, `${kind} PENDING`]);
    await simulator('DELETE /faults');
    await advance(60);
    await untilDeadlines(id, [`${kind} DONE`, `${kind} DONE`]);
    const paid = kind === 'dispute_decision' ? 'order.refunded' : 'order.milestone_released';
    await until(async () => (await payloadsOf(id, paid)).length === 1, 'the payment');
    await opened.assertSound();
  });
}

test('an unknown outcome is not tried again by the deadline: the operation goes on and ends once', async (t) => {
  const opened = await openPolicies(t);
  const { governed, advance, fault, simulator, untilStatus, deadlinesOf, payloadsOf } = opened;
  const { id } = await governed({ autoReleaseAfter: 'P7D' }, { at: 'IN_PROGRESS' });
  await fault('release', 'outage', { match: id, count: 1_000 });
  await advance(7 * DAY);
  await until(async () => ((await opened.get(id)).operation?.attempts ?? 0) > 0, 'the operation is postponed');
  await advance(DAY);
  assert.deepEqual(await deadlinesOf(id), ['auto_release DONE']);
  await simulator('DELETE /faults');
  await untilStatus(id, 'CLOSED');
  assert.deepEqual(await deadlinesOf(id), ['auto_release DONE']);
  assert.equal((await payloadsOf(id, 'order.released')).length, 1);
  await opened.assertSound();
});
