// The fee, the seller's net amount and the buyer's refund on an order: what a release would give while it is open, what was paid once
// it is closed. The figures are those of the receipt and of the events.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareInFile } from '../support/share-in-file.ts';
import { openTrade, type Row, type Trade } from './order-fixture.ts';

const opened = shareInFile((t) => openTrade(t, { sandbox: true, available: '5000.00' }));

const THREE = [
  { ref: 'a', title: 'A', amount: '20.00' },
  { ref: 'b', title: 'B', amount: '30.00' },
  { ref: 'c', title: 'C', amount: '50.00' },
];

/** Percentage, fee, net and refund. */
const shares = (order: Row): string[] => [
  order.platformFeePercent,
  order.platformFeeAmount,
  order.sellerNet,
  order.buyerRefund,
];

/** The receipt has the figures of the closed order, and so has the last event that names a fee. */
const assertSame = async ({ done, app }: Trade, order: Row): Promise<void> => {
  assert.equal(order.status, 'CLOSED');
  assert.equal(order.platformFee, order.platformFeePercent, 'the name of the specification');
  assert.deepEqual(await done(`GET /orders/${order.id}`), order);
  const receipt = await done(`GET /orders/${order.id}/receipt?format=json`);
  assert.deepEqual(
    [receipt.platformFeeAmount, receipt.sellerNet, receipt.refunded],
    [order.platformFeeAmount, order.sellerNet, order.buyerRefund],
  );
  const [event] = await app.sql(
    `select envelope::jsonb as e from events where event_type = 'order.released' and aggregate_id = $1`,
    [order.id],
  );
  if (event === undefined) return;
  const { platformFee, platformFeeAmount } = event.e.metadata;
  assert.deepEqual([platformFee, platformFeeAmount], [order.platformFeeAmount, order.platformFeeAmount]);
  assert.equal(event.e.payload.amount, order.sellerNet);
};

const act = ({ done }: Trade, { id }: Row) => ({
  release: () => done(`POST /orders/${id}/resolution/release`),
  refund: () => done(`POST /orders/${id}/resolution/refund`, { body: { reason: 'agreed' } }),
  complete: (ref: string) => done(`POST /orders/${id}/milestones/${ref}/complete`),
  pay: (ref: string) => done(`POST /orders/${id}/milestones/${ref}/release`),
  payBack: (ref: string) => done(`POST /orders/${id}/milestones/${ref}/refund`, { body: { reason: 'agreed' } }),
});

test('release: the same figures before and after', async () => {
  const trade = opened();
  const order = await trade.anOrder({ at: 'IN_PROGRESS', amount: '80.00', metadata: { platformFee: 2.5 } });
  assert.deepEqual(shares(order), ['2.50', '2.00', '78.00', '0.00']);
  const closed = await act(trade, order).release();
  assert.deepEqual(shares(closed), ['2.50', '2.00', '78.00', '0.00']);
  await assertSame(trade, closed);
});

test('refund: no fee, nothing for the seller, everything back', async () => {
  const trade = opened();
  const order = await trade.anOrder({ at: 'IN_PROGRESS', amount: '80.00' });
  assert.deepEqual(shares(order), ['5.00', '4.00', '76.00', '0.00']);
  const closed = await act(trade, order).refund();
  assert.deepEqual(shares(closed), ['5.00', '0.00', '0.00', '80.00']);
  await assertSame(trade, closed);
});

test('cancel: no money moved, so no party got any', async () => {
  const trade = opened();
  const { id } = await trade.anOrder({ at: 'FUNDS_RESERVED', amount: '80.00' });
  assert.deepEqual(shares(await trade.done(`POST /orders/${id}/cancel`)), ['5.00', '0.00', '0.00', '0.00']);
});

test('split: the fee is of the part that the seller was given', async () => {
  const trade = opened();
  const { id: disputeId, orderId } = await trade.aDispute({ amount: '60.00' });
  await trade.done(`POST /disputes/${disputeId}/assign`, { body: { assignedTo: 'agent' } });
  const body = { decision: 'SPLIT', releaseAmount: '35.00', refundAmount: '25.00', note: 'Half done' };
  await trade.done(`POST /disputes/${disputeId}/resolve`, { body });
  const closed = await trade.done(`GET /orders/${orderId}`);
  assert.equal(closed.finalStatus, 'SPLIT');
  assert.deepEqual(shares(closed), ['5.00', '1.75', '33.25', '25.00']);
  await assertSame(trade, closed);
});

test('milestones: each payment counts, and what is left counts as released until it is paid', async () => {
  const trade = opened();
  const order = await trade.anOrder({ at: 'IN_PROGRESS', milestones: THREE });
  const { complete, pay, payBack, release } = act(trade, order);
  await complete('a');
  assert.deepEqual(shares(await pay('a')), ['5.00', '5.00', '95.00', '0.00']);
  assert.deepEqual(shares(await payBack('b')), ['5.00', '3.50', '66.50', '30.00']);
  await complete('c');
  const closed = await release();
  assert.equal(closed.finalStatus, 'SPLIT');
  assert.deepEqual(shares(closed), ['5.00', '3.50', '66.50', '30.00']);
  await assertSame(trade, closed);
});

test('milestones that are settled as a whole have the figures of the whole', async () => {
  const trade = opened();
  const order = await trade.anOrder({ at: 'IN_PROGRESS', milestones: THREE });
  for (const { ref } of THREE) await act(trade, order).complete(ref);
  const closed = await act(trade, order).release();
  assert.deepEqual(shares(closed), ['5.00', '5.00', '95.00', '0.00']);
  await assertSame(trade, closed);
});
