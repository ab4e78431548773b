// The rules of a policy for disputes and single milestones, and the deadlines that a state makes pointless. rules.test.ts has the others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { assertProof } from '../support/checks.ts';
import { DAY, HOUR, openPolicies } from './fixture.ts';

test('a funded order has no deadline for its funding any more', async (t) => {
  const { governed, deadlinesOf, advance, get } = await openPolicies(t);
  const { id } = await governed({ cancelUnfundedAfter: 'P3D', remindBefore: ['P1D'] }, { at: 'IN_PROGRESS' });
  assert.deepEqual(await deadlinesOf(id), ['reminder CANCELED', 'cancel_unfunded CANCELED']);
  await advance(4 * DAY);
  assert.equal((await get(id)).status, 'IN_PROGRESS');
});

test('autoReleaseAfter counts from the completion of the last milestone', async (t) => {
  const { governed, done, advance, deadlinesOf, untilStatus } = await openPolicies(t);
  const { id, milestones } = await governed({ autoReleaseAfter: 'P7D' }, { at: 'IN_PROGRESS', milestones: 2 });
  assert.deepEqual(await deadlinesOf(id), []);
  await done(`POST /orders/${id}/milestones/${milestones[0].ref}/complete`);
  await advance(8 * DAY);
  assert.deepEqual(await deadlinesOf(id), []);
  const { deadlines } = await done(`POST /orders/${id}/milestones/${milestones[1].ref}/complete`);
  assert.equal(deadlines[0].kind, 'auto_release');
  await advance(7 * DAY);
  assert.equal((await untilStatus(id, 'CLOSED')).finalStatus, 'RELEASED');
});

for (const [then, finalStatus] of [
  ['RELEASE', 'RELEASED'],
  ['REFUND', 'REFUNDED'],
] as const) {
  for (const at of ['OPEN', 'UNDER_REVIEW'] as const) {
    test(`dispute: a dispute that is ${at} when its time is over is decided: ${then}`, async (t) => {
      const { governed, done, advance, untilStatus, app } = await openPolicies(t);
      const { id } = await governed({ dispute: { decideWithin: 'P14D', then } }, { at: 'IN_PROGRESS' });
      const body = { orderId: id, openedBy: 'SELLER', reason: 'OTHER' };
      const dispute = await done(`POST /orders/${id}/resolution/dispute`, { body });
      if (at === 'UNDER_REVIEW') await done(`POST /disputes/${dispute.id}/assign`, { body: { assignedTo: 'agent-7' } });
      await advance(14 * DAY);
      const order = await untilStatus(id, 'CLOSED');
      assert.equal(order.finalStatus, finalStatus);
      assert.equal(order.dispute.assignedTo, at === 'OPEN' ? 'deadlines' : 'agent-7');
      assert.deepEqual([order.dispute.status, order.deadlines[0].status], ['RESOLVED', 'DONE']);
      await assertProof(app);
    });
  }
}

test('dispute with REMIND only emits an event, once', async (t) => {
  const { governed, done, advance, get, payloadsOf, untilDeadlines } = await openPolicies(t);
  const { id } = await governed({ dispute: { decideWithin: 'P14D', then: 'REMIND' } }, { at: 'IN_PROGRESS' });
  await done(`POST /orders/${id}/resolution/dispute`, {
    body: { orderId: id, openedBy: 'BUYER', reason: 'OTHER' },
  });
  await advance(14 * DAY);
  await untilDeadlines(id, ['dispute_decision DONE']);
  assert.equal((await get(id)).status, 'DISPUTED');
  await advance(14 * DAY);
  assert.deepEqual(
    (await payloadsOf(id, 'order.deadline_passed')).map(({ action }) => action),
    ['REMIND'],
  );
});

test('a disputed milestone is not inspected; its dispute has a deadline of its own', async (t) => {
  const { governed, done, advance, get, atRest, app } = await openPolicies(t);
  const rules = {
    milestoneInspection: { within: 'P5D', then: 'RELEASE' },
    dispute: { decideWithin: 'P2D', then: 'REFUND' },
  };
  const { id, milestones } = await governed(rules, { at: 'IN_PROGRESS', milestones: 2 });
  const { ref } = milestones[0];
  await done(`POST /orders/${id}/milestones/${ref}/complete`);
  const shown = await done(`POST /orders/${id}/milestones/${ref}/dispute`, {
    body: { openedBy: 'BUYER', reason: 'OTHER' },
  });
  assert.deepEqual(
    shown.deadlines.map(({ kind, status, milestoneRef }: Record<string, string>) => [kind, status, milestoneRef]),
    [
      ['dispute_decision', 'PENDING', ref],
      ['milestone_inspection', 'CANCELED', ref],
    ],
  );
  await advance(2 * DAY);
  await until(async () => (await get(id)).milestones[0].status === 'REFUNDED', 'the milestone is refunded');
  await atRest();
  assert.equal((await get(id)).status, 'IN_PROGRESS');
  await assertProof(app);
});

test('the only milestone of an order is paid with the order', async (t) => {
  const { governed, done, advance, untilStatus } = await openPolicies(t);
  const rules = { milestoneInspection: { within: 'P5D', then: 'RELEASE' } };
  const { id, milestones } = await governed(rules, { at: 'IN_PROGRESS', milestones: 1 });
  await done(`POST /orders/${id}/milestones/${milestones[0].ref}/complete`);
  await advance(5 * DAY);
  assert.equal((await untilStatus(id, 'CLOSED')).finalStatus, 'RELEASED');
});

test('remindBefore emits an event before each deadline, and none in the past', async (t) => {
  const { governed, advance, untilDeadlines, payloadsOf } = await openPolicies(t);
  const { id, deadlines } = await governed({ cancelUnfundedAfter: 'P3D', remindBefore: ['P5D', 'P1D', 'PT1H'] });
  assert.deepEqual(
    deadlines.map(({ kind, of }: { kind: string; of: string }) => [kind, of]),
    [
      ['reminder', 'cancel_unfunded'],
      ['reminder', 'cancel_unfunded'],
      ['cancel_unfunded', null],
    ],
  );
  await advance(2 * DAY);
  await untilDeadlines(id, ['reminder DONE', 'reminder PENDING', 'cancel_unfunded PENDING']);
  const [first] = await payloadsOf(id, 'order.deadline_reminder');
  assert.deepEqual([first.kind, first.at], ['cancel_unfunded', deadlines[2].at]);
  await advance(23 * HOUR);
  await untilDeadlines(id, ['reminder DONE', 'reminder DONE', 'cancel_unfunded PENDING']);
  assert.equal((await payloadsOf(id, 'order.deadline_reminder')).length, 2);
});

test('milestoneInspection pays each completed milestone when its time is over, and closes the order with the last', async (t) => {
  const { governed, done, advance, get, atRest, untilStatus, deadlinesOf, payloadsOf, app } = await openPolicies(t);
  const rules = { milestoneInspection: { within: 'P5D', then: 'RELEASE' } };
  const { id, milestones } = await governed(rules, { at: 'IN_PROGRESS', milestones: 2 });
  const complete = (place: number) => done(`POST /orders/${id}/milestones/${milestones[place].ref}/complete`);
  await complete(0);
  assert.deepEqual(await deadlinesOf(id), ['milestone_inspection PENDING']);
  await advance(5 * DAY);
  await until(async () => (await get(id)).milestones[0].status === 'RELEASED', 'the first milestone is paid');
  await atRest();
  assert.deepEqual([(await get(id)).status, await deadlinesOf(id)], ['IN_PROGRESS', ['milestone_inspection DONE']]);
  await complete(1);
  await advance(5 * DAY);
  assert.equal((await untilStatus(id, 'CLOSED')).finalStatus, 'RELEASED');
  const passed = await payloadsOf(id, 'order.deadline_passed');
  assert.deepEqual(
    passed.map(({ action, milestoneRef }) => [action, milestoneRef]),
    milestones.map(({ ref }: { ref: string }) => ['RELEASE', ref]),
  );
  await assertProof(app);
});
