// GET /orders, by status. Pages, limits and cursors: lists.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApp } from '../support/shared-app.ts';
import { openShop, type Row, type Shop, shopIn, TWO_MILESTONES } from './order-fixture.ts';

const list = async ({ app }: Pick<Shop, 'app'>, query = ''): Promise<Row> => {
  const answer = await app.call(`GET /orders${query}`);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.data.success, true);
  return answer.body.data;
};

const idsOf = async (shop: Pick<Shop, 'app'>, query = ''): Promise<string[]> =>
  (await list(shop, query)).data.map((order: Row) => order.id);

const orders = async (shop: Shop, count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.unshift((await shop.order()).id);
  return ids;
};

test('200 lists newest first, each order as the single read shows it', async (t) => {
  const shop = await openShop(t);
  const plain = await shop.order();
  const { id } = await shop.order({ milestones: TWO_MILESTONES, metadata: { platformFee: 0 } });
  const reserved = await shop.done(`POST /orders/${id}/reserve`);
  const third = await shop.order({ milestones: [{ ref: 'all', title: 'All of it', amount: '100.00' }] });
  const page = await list(shop);
  assert.deepEqual([page.hasMore, page.nextCursor], [false, null]);
  assert.deepEqual(page.data, [third, reserved, plain]);
});

test('200 with an empty list where there is nothing', async (t) => {
  const app = await openApp(t);
  assert.deepEqual(await list({ app }), { success: true, data: [], hasMore: false, nextCursor: null });
});

test('each filter keeps what it names, in either spelling, and filters add up', async (t) => {
  const shop = await openShop(t);
  const other = await shopIn(shop.app, {});
  const [first, second] = [await shop.order({ clientOrderRef: 'cart-1' }), await other.order()];
  const third = await shop.order({ sellerId: other.sellerId });
  await shop.done(`POST /orders/${third.id}/reserve`);
  const [a, b, c] = [first.id, second.id, third.id];
  assert.deepEqual(await idsOf(shop, '?status=ORDER_CREATED'), [b, a]);
  assert.deepEqual(await idsOf(shop, '?status=FUNDS_RESERVED'), [c]);
  assert.deepEqual(await idsOf(shop, '?status=CLOSED'), []);
  assert.deepEqual(await idsOf(shop, `?buyerId=${shop.buyerId}`), [c, a]);
  assert.deepEqual(await idsOf(shop, `?buyer_id=${shop.buyerId}`), [c, a]);
  assert.deepEqual(await idsOf(shop, `?sellerId=${other.sellerId}`), [c, b]);
  assert.deepEqual(await idsOf(shop, `?seller_id=${other.sellerId}&buyer_id=${other.buyerId}`), [b]);
  assert.deepEqual(await idsOf(shop, '?clientOrderRef=cart-1'), [a]);
  assert.deepEqual(await idsOf(shop, '?client_order_ref=cart-2'), []);
  assert.deepEqual(await idsOf(shop, `?status=ORDER_CREATED&buyerId=${shop.buyerId}`), [a]);
  assert.deepEqual(await idsOf(shop, `?cursor=${c}&limit=1`), [b]);
  assert.deepEqual(await idsOf(shop, '?buyerId=nobody'), []);
});

test('createdAfter and createdBefore leave out the very moment they name', async (t) => {
  const shop = await openShop(t);
  const [third, second, first] = await orders(shop, 3);
  const { createdAt } = await shop.done(`GET /orders/${second}`);
  assert.deepEqual(await idsOf(shop, `?createdAfter=${createdAt}`), [third]);
  assert.deepEqual(await idsOf(shop, `?created_after=${createdAt}`), [third]);
  assert.deepEqual(await idsOf(shop, `?createdBefore=${createdAt}`), [first]);
  assert.deepEqual(await idsOf(shop, `?created_before=${createdAt}&createdAfter=${createdAt}`), []);
  assert.deepEqual(await idsOf(shop, '?createdAfter=2020-01-01&createdBefore=2020-01-02'), []);
});

test('one marketplace never lists the orders of another', async (t) => {
  const app = await openApp(t);
  const [a, b] = [await app.key(['*'], 'mkt_a'), await app.key(['*'], 'mkt_b')];
  const [ofA, ofB] = [await (await shopIn(app, { key: a })).order(), await (await shopIn(app, { key: b })).order()];
  const seen = async (key: string, query = '') =>
    (await app.call(`GET /orders${query}`, { key })).body.data.data.map((order: Row) => order.id);
  assert.deepEqual([await seen(a), await seen(b)], [[ofA.id], [ofB.id]]);
  assert.deepEqual(await seen(a, `?buyerId=${ofB.buyerId}`), []);
  // A cursor is a place in the order and no way in.
  assert.deepEqual(await seen(b, `?cursor=${ofA.id}`), []);
});

test('400 VALIDATION_ERROR on a bad filter', async (t) => {
  const { allRefused } = await openShop(t);
  const bad = [
    'status=GONE',
    'status=order_created',
    'status=',
    'buyerId=',
    'createdAfter=yesterday',
    'createdAfter=2026-01-01&created_after=2026-01-01',
    'buyerId=a&buyer_id=a',
  ];
  await allRefused(async (refused) => {
    for (const query of bad) {
      const { status, code, details } = await refused(`GET /orders?${query}`);
      assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], query);
      assert.ok(details.validationErrors.length > 0);
    }
  });
});
