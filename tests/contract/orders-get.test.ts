// GET /orders/{id}, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApp } from '../support/shared-app.ts';
import { openTrade, TWO_MILESTONES, tradeIn, UNKNOWN } from './order-fixture.ts';
import { refusalOf } from './refusals.ts';

test('200 shows the order with what belongs to it, as it is now', async (t) => {
  const { anOrder, done } = await openTrade(t);
  const { id, updatedAt } = await anOrder({ milestones: TWO_MILESTONES });
  await anOrder({ milestones: [{ ref: 'other', title: 'Of another order', amount: '100.00' }] });
  const reserved = await done(`POST /orders/${id}/reserve`);
  const shown = await done(`GET /orders/${id}`);
  assert.deepEqual(shown, reserved);
  assert.deepEqual([shown.status, shown.escrow, shown.dispute, shown.operation], ['FUNDS_RESERVED', null, null, null]);
  assert.deepEqual(
    shown.milestones.map(({ ref }: { ref: string }) => ref),
    ['draft', 'final'],
  );
  assert.ok(shown.updatedAt > updatedAt);
  assert.deepEqual(Object.keys(shown), [
    'id',
    'status',
    'finalStatus',
    'amount',
    'currency',
    'buyerId',
    'sellerId',
    'title',
    'description',
    'clientOrderRef',
    'metadata',
    'platformFee',
    'platformFeePercent',
    'platformFeeAmount',
    'sellerNet',
    'buyerRefund',
    'escrow',
    'dispute',
    'milestones',
    'operation',
    'policy',
    'deadlines',
    'createdAt',
    'updatedAt',
  ]);
});

test('404 ORDER_NOT_FOUND for unknown ids and for orders of another marketplace, in both directions', async (t) => {
  const app = await openApp(t);
  const a = await app.key(['*'], 'mkt_a');
  const b = await app.key(['*'], 'mkt_b');
  const ofA = await (await tradeIn(app, { key: a })).anOrder();
  const ofB = await (await tradeIn(app, { key: b })).anOrder();
  for (const [key, id] of [
    [a, ofB.id],
    [b, ofA.id],
    [a, UNKNOWN.order],
    [a, 'nonsense'],
  ]) {
    assert.deepEqual(await refusalOf(app, () => app.call(`GET /orders/${id}`, { key })), {
      status: 404,
      code: 'ORDER_NOT_FOUND',
      details: {},
    });
  }
  assert.equal((await app.call(`GET /orders/${ofA.id}`, { key: a })).status, 200);
});
