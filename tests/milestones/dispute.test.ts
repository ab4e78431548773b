// POST /orders/{id}/milestones/{ref}/dispute, and what a decision about one milestone does to it and to its order.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from '../support/app.ts';
import { openOrders } from '../support/order-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';

const server = shareInFile(openOrders);

const at = (id: string, ref: string, action: string): string => `POST /orders/${id}/milestones/${ref}/${action}`;
const dispute = { openedBy: 'BUYER', reason: 'QUALITY_ISSUE', evidence: ['https://shop.example/1'] };

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
type Any = any;

const statuses = (order: Any): string[] => order.milestones.map(({ status }: Any) => status);

const aDisputedMilestone = async () => {
  const { parties, anOrder, expect } = server();
  const who = await parties();
  const { id } = await anOrder({ at: 'IN_PROGRESS', between: who, milestones: ['40.00', '60.00'] });
  await expect(at(id, 'm2', 'complete'), { status: 201 });
  const order = await expect(at(id, 'm1', 'dispute'), { body: dispute, status: 200 });
  return { id, who, order, disputeId: order.milestones[0].disputeId as string };
};

const decide = async (disputeId: string, body: object): Promise<Any> => {
  const { expect } = server();
  await expect(`POST /disputes/${disputeId}/assign`, { body: { assignedTo: 'agent-7' }, status: 200 });
  return expect(`POST /disputes/${disputeId}/resolve`, { body, status: 200 });
};

test('200 disputes one milestone: the order goes on with the others, and can be neither released, refunded nor disputed as a whole', async () => {
  const { app, expect, assertSound } = server();
  const { id, order, disputeId } = await aDisputedMilestone();
  assert.deepEqual([order.status, statuses(order)], ['IN_PROGRESS', ['DISPUTED', 'COMPLETED']]);
  assert.deepEqual([order.dispute.id, order.dispute.milestoneRef], [disputeId, 'm1']);
  const whole = `POST /orders/${id}/resolution`;
  for (const [request, body] of [
    [`${whole}/release`, {}],
    [`${whole}/refund`, { reason: 'x' }],
    [`${whole}/dispute`, { ...dispute, orderId: id }],
  ] as const) {
    const answer = await app.call(request, { body });
    assert.deepEqual([codeOf(answer), answer.body.error.details.disputeId], ['409 DISPUTE_ALREADY_OPEN', disputeId]);
  }
  for (const [action, body] of [
    ['release', {}],
    ['refund', { reason: 'x' }],
    ['dispute', dispute],
  ] as const) {
    const answer = await app.call(at(id, 'm1', action), { body });
    assert.deepEqual([codeOf(answer), answer.body.error.details.disputeId], ['400 INVALID_STATE', disputeId], action);
  }
  const paid = await expect(at(id, 'm2', 'release'), { status: 200 });
  assert.deepEqual([paid.status, statuses(paid)], ['IN_PROGRESS', ['DISPUTED', 'RELEASED']]);
  const listed = await expect(`GET /disputes?orderId=${id}`, { status: 200 });
  assert.equal(JSON.stringify(listed).includes('"milestoneRef":"m1"'), true);
  await assertSound();
});

test('a SPLIT pays the milestone to both sides, its amounts have to sum to the milestone, and the order goes on', async () => {
  const { app, expect, balance, get, assertSound } = server();
  const { id, who, disputeId } = await aDisputedMilestone();
  await expect(`POST /disputes/${disputeId}/assign`, { body: { assignedTo: 'agent-7' }, status: 200 });
  const resolve = `POST /disputes/${disputeId}/resolve`;
  const wrong = { decision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40.00' };
  assert.equal(codeOf(await app.call(resolve, { body: wrong })), '400 INVALID_AMOUNT');
  const body = { decision: 'SPLIT', releaseAmount: '10.00', refundAmount: '30.00', note: 'a quarter' };
  const decided = await expect(resolve, { body, status: 200 });
  assert.deepEqual([decided.status, decided.sellerAmount, decided.buyerAmount], ['RESOLVED', '10.00', '30.00']);
  const order = await get(id);
  assert.deepEqual([order.status, statuses(order)], ['IN_PROGRESS', ['RELEASED', 'COMPLETED']]);
  const { releasedAmount, refundedAmount, fee } = order.milestones[0];
  assert.deepEqual([releasedAmount, refundedAmount, fee], ['10.00', '30.00', '0.50']);
  assert.deepEqual(await balance(who.seller), { available: '9.50', reserved: '0.00' });
  const closed = await expect(`POST /orders/${id}/resolution/release`, { status: 200 });
  assert.deepEqual([closed.status, closed.finalStatus], ['CLOSED', 'SPLIT']);
  assert.deepEqual(closed.paid, { seller: '66.50', buyer: '30.00', fee: '3.50', left: '0.00' });
  await assertSound();
});

test('the decision about the last milestone closes the order', async () => {
  const { expect, balance, assertSound } = server();
  const { id, who, disputeId } = await aDisputedMilestone();
  await expect(at(id, 'm2', 'release'), { status: 200 });
  const { order } = await decide(disputeId, { decision: 'FULL_REFUND' });
  assert.deepEqual([order.status, order.finalStatus, statuses(order)], ['CLOSED', 'SPLIT', ['REFUNDED', 'RELEASED']]);
  assert.deepEqual(await balance(who.buyer), { available: '940.00', reserved: '0.00' });
  assert.deepEqual(await balance(who.seller), { available: '57.00', reserved: '0.00' });
  await assertSound();
});

test('a dispute of the order after a milestone was paid is about the rest, and a SPLIT sums to that', async () => {
  const { app, parties, anOrder, expect, balance, assertSound } = server();
  const who = await parties();
  const { id } = await anOrder({ at: 'IN_PROGRESS', between: who, milestones: ['20.00', '30.00', '50.00'] });
  await expect(at(id, 'm1', 'complete'), { status: 201 });
  await expect(at(id, 'm1', 'release'), { status: 200 });
  const { id: disputeId } = await expect(`POST /orders/${id}/resolution/dispute`, {
    body: { ...dispute, orderId: id },
    status: 201,
  });
  await expect(`POST /disputes/${disputeId}/assign`, { body: { assignedTo: 'agent-7' }, status: 200 });
  const resolve = `POST /disputes/${disputeId}/resolve`;
  const wrong = { decision: 'SPLIT', releaseAmount: '50.00', refundAmount: '50.00' };
  assert.equal(codeOf(await app.call(resolve, { body: wrong })), '400 INVALID_AMOUNT');
  const body = { decision: 'SPLIT', releaseAmount: '35.00', refundAmount: '45.00' };
  const { order } = await expect(resolve, { body, status: 200 });
  assert.deepEqual([order.status, order.finalStatus], ['CLOSED', 'SPLIT']);
  const shown = order.milestones.map((each: Any) => [each.status, each.releasedAmount, each.refundedAmount]);
  assert.deepEqual(shown, [
    ['RELEASED', '20.00', '0.00'],
    ['RELEASED', '30.00', '0.00'],
    ['RELEASED', '5.00', '45.00'],
  ]);
  assert.deepEqual(order.paid, { seller: '52.25', buyer: '45.00', fee: '2.75', left: '0.00' });
  assert.deepEqual(await balance(who.buyer), { available: '945.00', reserved: '0.00' });
  await assertSound();
});
