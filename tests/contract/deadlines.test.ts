// The routes that hold, resume, extend and trigger a deadline, by status. Without simulators deadlines follow the wall clock.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hooks } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import { codeOf } from '../support/app.ts';
import { openTrade, type Row, UNKNOWN } from './order-fixture.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

const openWithPolicy = async (t: Hooks, rules: object = { cancelUnfundedAfter: 'P3D', remindBefore: ['P1D'] }) => {
  const trade = await openTrade(t);
  await trade.done('POST /policies', { body: { name: 'timed', rules } });
  const order = await trade.anOrder({ policy: 'timed' });
  const change = (action: string, body?: object) =>
    trade.done(`POST /orders/${order.id}/deadlines/cancel_unfunded/${action}`, body ? { body } : {});
  return { ...trade, order, change };
};

const statusesOf = ({ deadlines }: Row): string[] =>
  deadlines.map(({ kind, status }: Row) => `${kind} ${status}`).sort();

test('200 hold stops a deadline and its reminders; resume brings both back', async (t) => {
  const { app, order, change } = await openWithPolicy(t);
  const held = await change('hold', { reason: 'They talk.' });
  assert.deepEqual(statusesOf(held), ['cancel_unfunded HELD', 'reminder CANCELED']);
  const resumed = await change('resume');
  assert.deepEqual(statusesOf(resumed), ['cancel_unfunded PENDING', 'reminder PENDING']);
  const entries = await app.sql(
    "select action, payload_after::jsonb ->> 'reason' as reason from audit_entries where resource_id = $1 and action like 'DEADLINE%' order by seq",
    [order.id],
  );
  assert.deepEqual(entries, [
    { action: 'DEADLINE_HELD', reason: 'They talk.' },
    { action: 'DEADLINE_RESUMED', reason: null },
  ]);
});

test('200 extend sets a later time, and the reminders move with it', async (t) => {
  const { order, change } = await openWithPolicy(t);
  const until = inDays(10);
  const { deadlines } = await change('extend', { until, reason: 'A holiday.' });
  const find = (kind: string) => deadlines.find((each: Row) => each.kind === kind && each.status === 'PENDING');
  assert.equal(Date.parse(find('cancel_unfunded').at), Date.parse(until));
  assert.equal(Date.parse(find('reminder').at), Date.parse(until) - DAY_MS);
  assert.equal(deadlines.length, order.deadlines.length);
});

test('200 trigger carries the deadline out, also while it is held, and only once', async (t) => {
  const { order, change, refused, done } = await openWithPolicy(t);
  await change('hold');
  const closed = await change('trigger', { reason: 'Both agreed.' });
  assert.deepEqual([closed.status, closed.finalStatus], ['CLOSED', 'CANCELED']);
  assert.deepEqual(statusesOf(closed), ['cancel_unfunded DONE', 'reminder CANCELED']);
  for (const action of ['trigger', 'hold', 'resume']) {
    const { status, code, details } = await refused(`POST /orders/${order.id}/deadlines/cancel_unfunded/${action}`);
    assert.deepEqual([status, code, details.currentState], [400, 'INVALID_STATE', 'DONE']);
  }
  assert.deepEqual(await done(`GET /orders/${order.id}`), closed);
});

test('a deadline whose time was reached while it was held passes when it is resumed', async (t) => {
  const { order, change, done } = await openWithPolicy(t, { cancelUnfundedAfter: 'PT2S' });
  await change('hold');
  const { at } = order.deadlines[0];
  await until(async () => Date.now() > Date.parse(at) + 100, 'the time is reached');
  assert.equal((await done(`GET /orders/${order.id}`)).status, 'ORDER_CREATED');
  await change('resume');
  await until(async () => (await done(`GET /orders/${order.id}`)).status === 'CLOSED', 'the order is canceled');
});

test('without simulators a deadline passes by the wall clock', async (t) => {
  const { order, done } = await openWithPolicy(t, { cancelUnfundedAfter: 'PT1S' });
  await until(async () => (await done(`GET /orders/${order.id}`)).status === 'CLOSED', 'the order is canceled');
  const { deadlines, updatedAt } = await done(`GET /orders/${order.id}`);
  assert.ok(updatedAt >= deadlines[0].at);
});

test('400 names what is wrong with the request', async (t) => {
  const { order, refused } = await openWithPolicy(t);
  const path = `POST /orders/${order.id}/deadlines`;
  const problem = async (request: string, body?: object) => {
    const { status, code, details } = await refused(`${path}/${request}`, body ? { body } : {});
    assert.deepEqual([status, code], [400, 'VALIDATION_ERROR']);
    return details.validationErrors.join('; ');
  };
  assert.match(await problem('reminder/hold'), /kind must not be reminder: reminders follow their deadline/);
  assert.match(await problem('milestone_inspection/hold'), /milestoneRef is required for milestone_inspection/);
  assert.match(await problem('cancel_unfunded/hold', { milestoneRef: 'm1' }), /milestoneRef is only for/);
  assert.match(await problem('nothing/hold'), /kind must be one of/);
  assert.match(await problem('cancel_unfunded/extend', {}), /until is required/);
  assert.match(await problem('cancel_unfunded/extend', { until: 'later' }), /until must be an ISO 8601 time/);
  assert.match(await problem('cancel_unfunded/extend', { until: inDays(1) }), /until must be later than/);
  assert.match(await problem('cancel_unfunded/extend', { until: inDays(4_000) }), /until must be at most ten years/);
  assert.match(await problem('cancel_unfunded/hold', { reason: ' ' }), /reason must look like/);
  const resumed = await refused(`${path}/cancel_unfunded/resume`);
  assert.deepEqual(resumed.details, { currentState: 'PENDING', allowedActions: ['trigger', 'hold', 'extend'] });
});

test('403 and 404 of deadlines', async (t) => {
  const { app, order, anOrder, refused } = await openWithPolicy(t);
  const key = await app.key(['read', 'write'], app.marketplaceId);
  const hold = (id: string, kind: string) => `POST /orders/${id}/deadlines/${kind}/hold`;
  assert.equal(codeOf(await app.call(hold(order.id, 'cancel_unfunded'), { key })), '403 INSUFFICIENT_SCOPE');
  assert.equal((await refused(hold(UNKNOWN.order, 'cancel_unfunded'))).code, 'ORDER_NOT_FOUND');
  assert.equal((await refused(hold(order.id, 'auto_release'))).code, 'DEADLINE_NOT_FOUND');
  const { id } = await anOrder();
  assert.equal((await refused(hold(id, 'cancel_unfunded'))).code, 'DEADLINE_NOT_FOUND');
});
