// The preview of a trigger, and of a resume after the time, shows what its deadline then does, to the end of the payment: the order, the postings, the balances, the
// events and the calls of the contract.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, openPolicies } from '../policies/fixture.ts';
import { compare, previewOnly } from './compare.ts';

type Call = { readonly call: string; readonly operation: string };
type Trigger = { readonly id: string; readonly kind: string; readonly milestoneRef?: string };

const openTriggers = async (t: Parameters<typeof openPolicies>[0]) => {
  const policies = await openPolicies(t);
  const { app, get, atRest } = policies;

  const callsOf = async (id: string): Promise<string[]> =>
    (await app.sql('select calls from escrows where order_id = $1', [id])).flatMap(({ calls }) =>
      calls.map(({ call }: Call) => call),
    );

  /** Returns the order at the end. */
  const trigger = async ({ id, kind, milestoneRef }: Trigger) => {
    const before = await callsOf(id);
    const body = { reason: 'Both agreed.', ...(milestoneRef ? { milestoneRef } : {}) };
    const settled = async () => {
      await atRest();
      return get(id);
    };
    const { preview, real } = await compare(app, `POST /orders/${id}/deadlines/${kind}/trigger`, { body, settled });
    assert.equal(real.status, 200, real.text);
    const { calls, reply } = preview.body.data;
    assert.deepEqual(
      calls.map(({ operation }: Call) => operation),
      (await callsOf(id)).slice(before.length),
    );
    return { order: reply, calls, postings: preview.body.data.postings };
  };
  return { ...policies, trigger };
};

test('the preview of a triggered release shows the payment, also of one that is held', async (t) => {
  const { governed, done, trigger, assertSound } = await openTriggers(t);
  const { id } = await governed({ autoReleaseAfter: 'P7D', remindBefore: ['P1D'] }, { at: 'IN_PROGRESS' });
  await done(`POST /orders/${id}/deadlines/auto_release/hold`, { body: {} });
  const { order, calls, postings } = await trigger({ id, kind: 'auto_release' });
  assert.deepEqual([order.status, order.finalStatus, calls.length, postings.length], ['CLOSED', 'RELEASED', 3, 2]);
  await assertSound();
});

test('the preview of a resume shows the payment of a deadline that passed while it was held, and nothing before', async (t) => {
  const { app, governed, done, advance, untilDeadlines, assertSound } = await openTriggers(t);
  const { id } = await governed({ autoReleaseAfter: 'P7D' }, { at: 'IN_PROGRESS' });
  const resume = `POST /orders/${id}/deadlines/auto_release/resume`;
  await done(`POST /orders/${id}/deadlines/auto_release/hold`, { body: {} });
  assert.deepEqual((await previewOnly(app, resume, { body: {} })).body.data.postings, []);
  await advance(8 * DAY);
  const preview = await previewOnly(app, resume, { body: {} });
  const { reply, postings } = preview.body.data;
  assert.deepEqual([reply.finalStatus, postings.length], ['RELEASED', 2]);
  await done(resume, { body: {} });
  await untilDeadlines(id, ['auto_release DONE']);
  await assertSound();
});

test('the preview of a triggered inspection or decision shows the payment of the milestone', async (t) => {
  const { governed, done, trigger, assertSound } = await openTriggers(t);
  const rules = {
    milestoneInspection: { within: 'P5D', then: 'RELEASE' },
    dispute: { decideWithin: 'P2D', then: 'REFUND' },
  };
  const { id } = await governed(rules, { at: 'IN_PROGRESS', milestones: ['40.00', '60.00'] });
  await done(`POST /orders/${id}/milestones/m1/complete`);
  const first = await trigger({ id, kind: 'milestone_inspection', milestoneRef: 'm1' });
  assert.deepEqual([first.order.status, first.order.milestones[0].status], ['IN_PROGRESS', 'RELEASED']);
  await done(`POST /orders/${id}/milestones/m2/dispute`, { body: { openedBy: 'BUYER', reason: 'OTHER' } });
  const second = await trigger({ id, kind: 'dispute_decision', milestoneRef: 'm2' });
  assert.deepEqual([second.order.status, second.order.finalStatus], ['CLOSED', 'SPLIT']);
  await assertSound();
});

test('the preview of a triggered cancellation, of a reminder only, and of a refusal', async (t) => {
  const { governed, done, app, trigger } = await openTriggers(t);
  const unfunded = await governed({ cancelUnfundedAfter: 'P2D' }, { at: 'FUNDS_RESERVED' });
  const { order } = await trigger({ id: unfunded.id, kind: 'cancel_unfunded' });
  assert.equal(order.finalStatus, 'CANCELED');
  const again = await previewOnly(app, `POST /orders/${unfunded.id}/deadlines/cancel_unfunded/trigger`);
  assert.deepEqual([again.status, again.body.error.code], [400, 'INVALID_STATE']);

  const reminding = await governed({ dispute: { decideWithin: 'P2D', then: 'REMIND' } }, { at: 'IN_PROGRESS' });
  const body = { orderId: reminding.id, openedBy: 'BUYER', reason: 'OTHER' };
  await done(`POST /orders/${reminding.id}/resolution/dispute`, { body });
  const { calls, postings } = await trigger({ id: reminding.id, kind: 'dispute_decision' });
  assert.deepEqual([calls, postings], [[], []]);
});
