// POST /orders/{orderId}/resolution/dispute, by status. What is refused before an order is funded: orders-too-early.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareInFile } from '../support/share-in-file.ts';
import { eventsOf, INVALID_STATE, openTrade } from './order-fixture.ts';

const sharedShop = shareInFile((t) => openTrade(t, { sandbox: true }));

test('201 opens a dispute with every field, and its order and escrow are disputed (defect 25)', async () => {
  const trade = sharedShop();
  const order = await trade.anOrder({ at: 'IN_PROGRESS' });
  const evidence = ['https://shop.example/1', 'ticket 42'];
  // The path is what counts, whatever the body names.
  const body = { order_id: 'ord_of_another', opened_by: 'SELLER', reason: 'QUALITY_ISSUE', evidence };
  const answer = await trade.app.call(`POST /orders/${order.id}/resolution/dispute`, { body });
  assert.equal(answer.status, 201, answer.text);
  const { id, createdAt, updatedAt, order: disputed, ...rest } = answer.body.data.data;
  assert.match(id, /^dsp_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.equal(updatedAt, createdAt);
  assert.deepEqual(rest, {
    orderId: order.id,
    openedBy: 'SELLER',
    reason: 'QUALITY_ISSUE',
    evidence,
    status: 'OPEN',
    assignedTo: null,
    resolutionDecision: null,
    decisionNote: null,
    sellerAmount: null,
    buyerAmount: null,
    resolvedAt: null,
  });
  assert.deepEqual([disputed.status, disputed.escrow.status], ['DISPUTED', 'DISPUTED']);
  assert.deepEqual(disputed.dispute, { id, createdAt, updatedAt, ...rest });
  assert.deepEqual(await trade.done(`GET /orders/${order.id}`), disputed);
  const told = (await eventsOf(trade.app)).slice(-2);
  assert.deepEqual(
    told.map(({ eventType, payload }) => [eventType, payload.disputeId, payload.openedBy]),
    [
      ['dispute.opened', id, 'SELLER'],
      ['order.disputed', id, 'SELLER'],
    ],
  );
});

test('400 INVALID_STATE to the second one who asks, and to a release, a refund and a milestone while it is open', async () => {
  const trade = sharedShop();
  const { id } = await trade.anOrder({
    at: 'IN_PROGRESS',
    milestones: [{ ref: 'all', title: 'All', amount: '100.00' }],
  });
  const open = { body: { orderId: id, openedBy: 'BUYER', reason: 'OTHER', evidence: [] } };
  const path = `POST /orders/${id}/resolution`;
  const answers = await Promise.all(Array.from({ length: 10 }, () => trade.app.call(`${path}/dispute`, open)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(400)]);
  const { evidence } = answers.find(({ status }) => status === 201)!.body.data.data;
  assert.deepEqual(evidence, [], 'an empty list is kept as one');
  for (const [request, ask] of [
    [`${path}/dispute`, open],
    [`${path}/release`, {}],
    [`${path}/refund`, { body: { reason: 'x' } }],
    [`POST /orders/${id}/milestones/all/complete`, {}],
  ] as const) {
    const { details, ...refusal } = await trade.refused(request, ask);
    const { disputeId, ...rest } = details;
    assert.deepEqual({ ...refusal, details: rest }, INVALID_STATE('DISPUTED', []), request);
    assert.match(disputeId, /^dsp_/, 'it says where to go on');
  }
});
