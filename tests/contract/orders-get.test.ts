// GET /orders/{id}, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApp } from '../support/shared-app.ts';
import { NOBODY, openShop, refusalIn, shopIn, TWO_MILESTONES } from './order-ground.ts';

test('200 shows the order with what belongs to it, as it is now', async (t) => {
  const { order, done } = await openShop(t);
  const { id, updatedAt } = await order({ milestones: TWO_MILESTONES });
  await order({ milestones: [{ ref: 'other', title: 'Of another order', amount: '100.00' }] });
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
    'escrow',
    'dispute',
    'milestones',
    'operation',
    'createdAt',
    'updatedAt',
  ]);
});

test('200 keeps the largest amounts exactly, also those of milestones', async (t) => {
  const { order, done } = await openShop(t, { env: { ORDER_AMOUNT_MAX: '99999999999.99' } });
  const amount = '99999999999.99';
  const { id } = await order({ amount, milestones: [{ ref: 'all', title: 'All of it', amount }] });
  const shown = await done(`GET /orders/${id}`);
  assert.deepEqual([shown.amount, shown.milestones[0].amount], [amount, amount]);
});

test('404 ORDER_NOT_FOUND for ids nobody has and for orders of another marketplace, in both directions', async (t) => {
  const app = await openApp(t);
  const [a, b] = [await app.key(['*'], 'mkt_a'), await app.key(['*'], 'mkt_b')];
  const [ofA, ofB] = [await (await shopIn(app, { key: a })).order(), await (await shopIn(app, { key: b })).order()];
  for (const [key, id] of [
    [a, ofB.id],
    [b, ofA.id],
    [a, NOBODY.order],
    [a, 'nonsense'],
  ]) {
    assert.deepEqual(await refusalIn(app, () => app.call(`GET /orders/${id}`, { key })), {
      status: 404,
      code: 'ORDER_NOT_FOUND',
      details: {},
    });
  }
  assert.equal((await app.call(`GET /orders/${ofA.id}`, { key: a })).status, 200);
});

test('401 without a key, and 403 with one that cannot read', async (t) => {
  const { app, order, refused } = await openShop(t);
  const { id } = await order();
  assert.equal((await app.call(`GET /orders/${id}`, { key: null })).status, 401);
  const key = await app.key(['write', 'support']);
  assert.deepEqual(await refused(`GET /orders/${id}`, { key }), {
    status: 403,
    code: 'INSUFFICIENT_SCOPE',
    details: { requiredScope: 'read', scopes: ['write', 'support'] },
  });
});
