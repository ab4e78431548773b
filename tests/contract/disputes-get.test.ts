// GET /disputes/{id}, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disputeIn, NOBODY, openShop, shopIn } from './order-ground.ts';

test('200 shows the dispute with its order; 404 DISPUTE_NOT_FOUND to another marketplace', async (t) => {
  const shop = await openShop(t, { sandbox: true });
  const dispute = await disputeIn(shop);
  assert.deepEqual(await shop.done(`GET /disputes/${dispute.id}`), dispute);
  const other = await shopIn(shop.app, { key: await shop.app.key(['*'], 'mkt_other') });
  assert.deepEqual(await other.refused(`GET /disputes/${dispute.id}`), {
    status: 404,
    code: 'DISPUTE_NOT_FOUND',
    details: {},
  });
});

test('404 DISPUTE_NOT_FOUND for ids nobody has', async (t) => {
  const { refused } = await openShop(t);
  for (const id of [NOBODY.dispute, NOBODY.order, 'nonsense']) {
    const { status, code } = await refused(`GET /disputes/${id}`);
    assert.deepEqual([status, code], [404, 'DISPUTE_NOT_FOUND']);
  }
});

test('401 without a key, and 403 with one that cannot read', async (t) => {
  const { app, refused } = await openShop(t);
  assert.equal((await refused(`GET /disputes/${NOBODY.dispute}`, { key: null })).status, 401);
  const key = await app.key(['write', 'support']);
  const { status, details } = await refused(`GET /disputes/${NOBODY.dispute}`, { key });
  assert.deepEqual([status, details.requiredScope], [403, 'read']);
});
