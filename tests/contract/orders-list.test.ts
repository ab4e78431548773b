// GET /orders, by status. Pages, limits and cursors: lists.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApp } from '../support/shared-app.ts';
import { openTrade, type Row, type Trade, TWO_MILESTONES, tradeIn } from './order-fixture.ts';

const list = async ({ app }: Pick<Trade, 'app'>, query = ''): Promise<Row> => {
  const answer = await app.call(`GET /orders${query}`);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.data.success, true);
  return answer.body.data;
};

const idsOf = async (trade: Pick<Trade, 'app'>, query = ''): Promise<string[]> =>
  (await list(trade, query)).data.map((order: Row) => order.id);

const orders = async (trade: Trade, count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.unshift((await trade.anOrder()).id);
  return ids;
};

test('200 lists newest first, each order as the single read shows it', async (t) => {
  const trade = await openTrade(t);
  const plain = await trade.anOrder();
  const { id } = await trade.anOrder({ milestones: TWO_MILESTONES, metadata: { platformFee: 0 } });
  const reserved = await trade.done(`POST /orders/${id}/reserve`);
  const third = await trade.anOrder({ milestones: [{ ref: 'all', title: 'All of it', amount: '100.00' }] });
  const page = await list(trade);
  assert.deepEqual([page.hasMore, page.nextCursor], [false, null]);
  assert.deepEqual(page.data, [third, reserved, plain]);
});

test('200 with an empty list where there is nothing', async (t) => {
  const app = await openApp(t);
  assert.deepEqual(await list({ app }), { success: true, data: [], hasMore: false, nextCursor: null });
});

test('each filter keeps what it names, in either spelling, and filters add up', async (t) => {
  const trade = await openTrade(t);
  const other = await tradeIn(trade.app, {});
  const first = await trade.anOrder({ clientOrderRef: 'cart-1' });
  const second = await other.anOrder();
  const third = await trade.anOrder({ between: { buyer: trade.buyerId, seller: other.sellerId } });
  await trade.done(`POST /orders/${third.id}/reserve`);
  const a = first.id;
  const b = second.id;
  const c = third.id;
  assert.deepEqual(await idsOf(trade, '?status=ORDER_CREATED'), [b, a]);
  assert.deepEqual(await idsOf(trade, '?status=FUNDS_RESERVED'), [c]);
  assert.deepEqual(await idsOf(trade, '?status=CLOSED'), []);
  assert.deepEqual(await idsOf(trade, `?buyerId=${trade.buyerId}`), [c, a]);
  assert.deepEqual(await idsOf(trade, `?buyer_id=${trade.buyerId}`), [c, a]);
  assert.deepEqual(await idsOf(trade, `?sellerId=${other.sellerId}`), [c, b]);
  assert.deepEqual(await idsOf(trade, `?seller_id=${other.sellerId}&buyer_id=${other.buyerId}`), [b]);
  assert.deepEqual(await idsOf(trade, '?clientOrderRef=cart-1'), [a]);
  assert.deepEqual(await idsOf(trade, '?client_order_ref=cart-2'), []);
  assert.deepEqual(await idsOf(trade, `?status=ORDER_CREATED&buyerId=${trade.buyerId}`), [a]);
  assert.deepEqual(await idsOf(trade, `?cursor=${c}&limit=1`), [b]);
  assert.deepEqual(await idsOf(trade, '?buyerId=unknown'), []);
});

test('createdAfter and createdBefore leave out the very moment they name', async (t) => {
  const trade = await openTrade(t);
  const [third, second, first] = await orders(trade, 3);
  const { createdAt } = await trade.done(`GET /orders/${second}`);
  assert.deepEqual(await idsOf(trade, `?createdAfter=${createdAt}`), [third]);
  assert.deepEqual(await idsOf(trade, `?created_after=${createdAt}`), [third]);
  assert.deepEqual(await idsOf(trade, `?createdBefore=${createdAt}`), [first]);
  assert.deepEqual(await idsOf(trade, `?created_before=${createdAt}&createdAfter=${createdAt}`), []);
  assert.deepEqual(await idsOf(trade, '?createdAfter=2020-01-01&createdBefore=2020-01-02'), []);
});

test('one marketplace never lists the orders of another', async (t) => {
  const app = await openApp(t);
  const a = await app.key(['*'], 'mkt_a');
  const b = await app.key(['*'], 'mkt_b');
  const ofA = await (await tradeIn(app, { key: a })).anOrder();
  const ofB = await (await tradeIn(app, { key: b })).anOrder();
  const seen = async (key: string, query = '') =>
    (await app.call(`GET /orders${query}`, { key })).body.data.data.map((order: Row) => order.id);
  assert.deepEqual([await seen(a), await seen(b)], [[ofA.id], [ofB.id]]);
  assert.deepEqual(await seen(a, `?buyerId=${ofB.buyerId}`), []);
  // A cursor is a place in the order and no way in.
  assert.deepEqual(await seen(b, `?cursor=${ofA.id}`), []);
});

test('400 VALIDATION_ERROR on a bad filter', async (t) => {
  const { allRefused } = await openTrade(t);
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
