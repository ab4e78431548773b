// Each rule of a policy: when its deadline begins, what it does, and which commit makes it pointless. rules.long.test.ts
// has the rules for disputes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from '../support/app.ts';
import { assertProof } from '../support/checks.ts';
import { DAY, openPolicies } from './fixture.ts';

test('cancelUnfundedAfter cancels an order that is not funded in time, from every state before', async (t) => {
  const { governed, get, advance, untilStatus, deadlinesOf, payloadsOf, balance, app } = await openPolicies(t);
  const rules = { cancelUnfundedAfter: 'P3D' };
  const states = ['ORDER_CREATED', 'FUNDS_RESERVED', 'ESCROW_FUNDING'] as const;
  const orders = [];
  for (const at of states) orders.push(await governed(rules, { at }));
  for (const { id, deadlines } of orders) {
    assert.deepEqual(deadlines.length, 1);
    assert.deepEqual(await deadlinesOf(id), ['cancel_unfunded PENDING']);
  }
  await advance(2 * DAY);
  for (const [i, { id }] of orders.entries()) assert.equal((await get(id)).status, states[i]);
  await advance(DAY);
  for (const { id, buyerId } of orders) {
    const { finalStatus, escrow, deadlines } = await untilStatus(id, 'CLOSED');
    assert.deepEqual([finalStatus, escrow], ['CANCELED', null]);
    assert.deepEqual(
      deadlines.map(({ kind, status }: { kind: string; status: string }) => [kind, status]),
      [['cancel_unfunded', 'DONE']],
    );
    assert.deepEqual(await balance(buyerId), { available: '1000.00', reserved: '0.00' });
    const [passed, ...more] = await payloadsOf(id, 'order.deadline_passed');
    assert.deepEqual([passed.kind, passed.action, passed.at, more], ['cancel_unfunded', 'CANCEL', deadlines[0].at, []]);
    assert.equal((await payloadsOf(id, 'order.canceled')).length, 1);
  }
  await assertProof(app);
});

test('cancelUnfundedAfter cancels an order whose contract has paid an incomplete funding back', async (t) => {
  const { governed, fault, advance, untilStatus, balance, app, assertSound } = await openPolicies(t);
  const { id, buyerId } = await governed({ cancelUnfundedAfter: 'P3D' }, { at: 'ESCROW_FUNDING' });
  await fault('fund', 'short', { match: id, count: 3 });
  assert.equal(codeOf(await app.call(`POST /orders/${id}/escrow/fund`)), '400 ESCROW_FUNDING_FAILED');
  await advance(3 * DAY);
  assert.equal((await untilStatus(id, 'CLOSED')).finalStatus, 'CANCELED');
  assert.deepEqual(await balance(buyerId), { available: '1000.00', reserved: '0.00' });
  await assertSound();
});

test('autoReleaseAfter releases an order without milestones after its funding', async (t) => {
  const { governed, advance, untilStatus, payloadsOf, balance, assertSound } = await openPolicies(t);
  const order = await governed(
    { autoReleaseAfter: 'P7D', platformFee: { percent: '10', fixed: '1.00' } },
    { at: 'IN_PROGRESS' },
  );
  assert.deepEqual(
    order.deadlines.map(({ kind }: { kind: string }) => kind),
    ['auto_release'],
  );
  await advance(7 * DAY);
  const { finalStatus, deadlines } = await untilStatus(order.id, 'CLOSED');
  assert.deepEqual([finalStatus, deadlines[0].status], ['RELEASED', 'DONE']);
  const [{ action }] = await payloadsOf(order.id, 'order.deadline_passed');
  assert.equal(action, 'RELEASE');
  assert.equal((await balance(order.sellerId)).available, '89.00');
  await assertSound();
});

test('a dispute, a release and a refund each cancel the automatic release in their commit', async (t) => {
  const { governed, done, deadlinesOf } = await openPolicies(t);
  const rules = { autoReleaseAfter: 'P7D', remindBefore: ['P1D'], dispute: { decideWithin: 'P2D', then: 'REMIND' } };
  const over = ['reminder CANCELED', 'auto_release CANCELED'];
  const order = () => governed(rules, { at: 'IN_PROGRESS' });
  const disputed = await order();
  const body = { orderId: disputed.id, openedBy: 'BUYER', reason: 'OTHER' };
  const { order: shown } = await done(`POST /orders/${disputed.id}/resolution/dispute`, { body });
  assert.deepEqual(
    shown.deadlines.map(({ kind, status, of }: { kind: string; status: string; of: string }) => [kind, status, of]),
    [
      ['reminder', 'PENDING', 'dispute_decision'],
      ['dispute_decision', 'PENDING', null],
      ['reminder', 'CANCELED', 'auto_release'],
      ['auto_release', 'CANCELED', null],
    ],
  );
  const released = await order();
  await done(`POST /orders/${released.id}/resolution/release`);
  assert.deepEqual(await deadlinesOf(released.id), over);
  const refunded = await order();
  await done(`POST /orders/${refunded.id}/resolution/refund`, { body: { reason: 'agreed' } });
  assert.deepEqual(await deadlinesOf(refunded.id), over);
});

test('allow: a caller with a key is refused with 403 where the policy names others', async (t) => {
  const { governed, app, done } = await openPolicies(t);
  const rules = {
    allow: {
      cancel: ['buyer'],
      release: ['buyer'],
      refund: ['seller'],
      complete_milestone: ['seller'],
      dispute: ['buyer'],
    },
  };
  const created = await governed(rules);
  const refused = async (request: string, body: object = {}) => {
    const { status, body: answer } = await app.call(request, { body });
    return [status, answer.error?.code, answer.error?.details.action, answer.error?.details.allowed];
  };
  assert.deepEqual(await refused(`POST /orders/${created.id}/cancel`), [403, 'POLICY_FORBIDS', 'cancel', ['buyer']]);
  const { id, milestones } = await governed(rules, { at: 'IN_PROGRESS', milestones: 1 });
  const path = `POST /orders/${id}`;
  assert.deepEqual(await refused(`${path}/resolution/release`), [403, 'POLICY_FORBIDS', 'release', ['buyer']]);
  const reason = { reason: 'agreed' };
  assert.deepEqual(await refused(`${path}/resolution/refund`, reason), [403, 'POLICY_FORBIDS', 'refund', ['seller']]);
  assert.deepEqual(await refused(`${path}/milestones/${milestones[0].ref}/complete`), [
    403,
    'POLICY_FORBIDS',
    'complete_milestone',
    ['seller'],
  ]);
  const complaint = (openedBy: string) => ({ orderId: id, openedBy, reason: 'OTHER' });
  assert.deepEqual(await refused(`${path}/resolution/dispute`, complaint('SELLER')), [
    403,
    'POLICY_FORBIDS',
    'dispute',
    ['buyer'],
  ]);
  assert.equal((await done(`${path}/resolution/dispute`, { body: complaint('BUYER') })).status, 'OPEN');
  const free = await governed({ allow: { cancel: ['operator'] } });
  assert.equal((await done(`POST /orders/${free.id}/cancel`)).status, 'CLOSED');
});
