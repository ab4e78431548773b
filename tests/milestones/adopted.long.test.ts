// A payment of one milestone that the contract has made without a request of ours is booked once, by the poll or by an event, with its fee.
// What the facts do not say for sure is not booked.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Any, openSharedWebhooks, type WebhookFixture } from '../contract/webhook-escrow-fixture.ts';
import { assertProof } from '../support/checks.ts';

const at = (id: string, ref: string, action: string): string => `POST /orders/${id}/milestones/${ref}/${action}`;

const statuses = (order: Any): string[] => order.milestones.map(({ status }: Any) => status);

/** Marks, approves and releases one milestone, without the server's knowledge. */
const releaseOutside = async ({ act }: WebhookFixture, { id, milestone }: { id: string; milestone: number }) => {
  await act(id, 'seller', { kind: 'change-status', milestone, status: 'done' });
  await act(id, 'buyer', { kind: 'approve', milestone });
  return act(id, 'buyer', { kind: 'release', milestone });
};

for (const check of ['signature', 'verify'] as const) {
  test(`the poll books a released milestone once, and closes the order with the last one (${check})`, async (t) => {
    const fixture = await openSharedWebhooks(t);
    const { anOrder, parties, get, balance, eventsOf, app } = fixture;
    const who = await parties();
    // Two of the same amount: one payment of the ledger is not counted for both.
    const order = await anOrder({ at: 'IN_PROGRESS', between: who, milestones: ['30.00', '30.00', '40.00'] });
    const ears = fixture.openEars(undefined, check);
    await releaseOutside(fixture, { id: order.id, milestone: 1 });
    for (let round = 0; round < 2; round++) assert.equal(await ears.lookAt(order), true);
    const part = await get(order.id);
    assert.deepEqual([part.status, statuses(part)], ['IN_PROGRESS', ['OPEN', 'RELEASED', 'OPEN']]);
    assert.deepEqual(part.paid, { seller: '28.50', buyer: '0.00', fee: '1.50', left: '70.00' });
    assert.equal((await balance(who.seller)).available, '28.50');
    await releaseOutside(fixture, { id: order.id, milestone: 0 });
    await ears.lookAt(order);
    assert.deepEqual(statuses(await get(order.id)), ['RELEASED', 'RELEASED', 'OPEN']);
    await releaseOutside(fixture, { id: order.id, milestone: 2 });
    await ears.lookAt(order);
    const closed = await get(order.id);
    assert.deepEqual([closed.status, closed.finalStatus, closed.paid.fee], ['CLOSED', 'RELEASED', '5.00']);
    assert.equal((await balance(who.seller)).available, '95.00');
    const types = await eventsOf(order.id);
    // The last part was the rest of the whole contract.
    assert.equal(types.filter((type) => type === 'order.milestone_released').length, 2);
    assert.equal(types.filter((type) => type === 'order.released').length, 1);
    assert.deepEqual(ears.troubles, []);
    await assertProof(app);
  });
}

test('an event about one milestone books it, a second one changes nothing, and the rest is refunded as always', async (t) => {
  const fixture = await openSharedWebhooks(t);
  const { anOrder, parties, get, balance, deliver, expect, app } = fixture;
  const who = await parties();
  const { id } = await anOrder({ at: 'IN_PROGRESS', between: who, milestones: ['30.00', '70.00'] });
  await expect(at(id, 'm1', 'complete'), { status: 201 });
  const told = { type: 'escrow.released', data: { order_id: id, milestone_ref: 'm1' } };
  assert.equal(await deliver(told), false, 'the contract has not paid');
  assert.deepEqual(statuses(await get(id)), ['COMPLETED', 'OPEN']);
  await releaseOutside(fixture, { id, milestone: 0 });
  assert.equal(await deliver({ type: 'escrow.released', data: { order_id: id, milestone_ref: 'm2' } }), false);
  for (let round = 0; round < 2; round++) assert.equal(await deliver(told), true);
  assert.deepEqual(statuses(await get(id)), ['RELEASED', 'OPEN']);
  assert.equal((await balance(who.seller)).available, '28.50');
  await expect(`POST /orders/${id}/resolution/refund`, { status: 200, body: { reason: 'agreed' } });
  assert.equal((await get(id)).finalStatus, 'SPLIT');
  assert.equal((await balance(who.buyer)).available, '970.00');
  await assertProof(app);
});

test('a resolution that only the provider shows does not say who was paid: it is not booked before our own call is known', async (t) => {
  const fixture = await openSharedWebhooks(t);
  const { anOrder, parties, get, balance, act, escrowRow, app } = fixture;
  const who = await parties();
  const order = await anOrder({ at: 'IN_PROGRESS', between: who, milestones: ['30.00', '70.00'] });
  const { buyer } = await escrowRow(order.id);
  await act(order.id, 'buyer', { kind: 'dispute', milestone: 0 });
  const shares = [{ address: buyer.address, amount: 300_000_000n }];
  await act(order.id, 'platform', { kind: 'resolve', milestone: 0, shares });
  await fixture.openEars().lookAt(order);
  assert.deepEqual(statuses(await get(order.id)), ['OPEN', 'OPEN']);
  // As the call is recorded when it is found on the ledger after a restore.
  const calls = [
    { call: 'dispute', milestone: 0 },
    { call: 'resolve', milestone: 0, sellerUnits: '0', buyerUnits: '300000000' },
  ];
  await app.sql('update escrows set calls = calls || $2::jsonb where order_id = $1', [order.id, JSON.stringify(calls)]);
  for (let round = 0; round < 2; round++) await fixture.openEars(undefined, 'verify').lookAt(order);
  assert.deepEqual(statuses(await get(order.id)), ['REFUNDED', 'OPEN']);
  assert.equal((await balance(who.buyer)).available, '930.00');
  await assertProof(app);
});

test('a milestone that is disputed here is paid only as its dispute is decided', async (t) => {
  const fixture = await openSharedWebhooks(t);
  const { anOrder, parties, get, balance, expect, app } = fixture;
  const who = await parties();
  const order = await anOrder({ at: 'IN_PROGRESS', between: who, milestones: ['30.00', '70.00'] });
  const complaint = { openedBy: 'BUYER', reason: 'OTHER' };
  await expect(at(order.id, 'm1', 'dispute'), { status: 200, body: complaint });
  await releaseOutside(fixture, { id: order.id, milestone: 0 });
  await fixture.openEars().lookAt(order);
  const disputed = await get(order.id);
  assert.deepEqual(statuses(disputed), ['DISPUTED', 'OPEN']);
  const path = `POST /disputes/${disputed.milestones[0].disputeId}`;
  await expect(`${path}/assign`, { status: 200, body: { assignedTo: 'agent-7' } });
  await expect(`${path}/resolve`, { status: 200, body: { decision: 'FULL_RELEASE' } });
  assert.deepEqual(statuses(await get(order.id)), ['RELEASED', 'OPEN']);
  assert.equal((await balance(who.seller)).available, '28.50');
  await assertProof(app);
});

test('what a settlement of ours has paid before it failed is not booked by the poll or an event: the next request decides', async (t) => {
  const fixture = await openSharedWebhooks(t);
  const { anOrder, parties, get, balance, deliver, fault, app, openEars, contractOf } = fixture;
  const who = await parties();
  const order = await anOrder({ at: 'IN_PROGRESS', between: who, milestones: ['30.00', '70.00'] });
  for (const ref of ['m1', 'm2']) assert.equal((await app.call(at(order.id, ref, 'complete'))).status, 201);
  // A fault that changes nothing is consumed by the first release, which therefore succeeds.
  await fault('release', 'slow', { match: order.id, delayMs: 1 });
  await fault('release', 'refusal', { match: order.id });
  assert.equal((await app.call(`POST /orders/${order.id}/resolution/release`, { body: {} })).status, 500);
  assert.equal((await contractOf(order)).milestones[0].flags.released, true);
  await openEars().lookAt(order);
  const told = { type: 'escrow.released', data: { order_id: order.id, milestone_ref: 'm1' } };
  assert.equal(await deliver(told), false);
  assert.deepEqual(statuses(await get(order.id)), ['COMPLETED', 'COMPLETED']);
  assert.equal((await app.call(`POST /orders/${order.id}/resolution/release`, { body: {} })).status, 200);
  assert.deepEqual([(await get(order.id)).finalStatus, (await balance(who.seller)).available], ['RELEASED', '95.00']);
});
