// GET /orders?q=, what a search finds and what it does not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { type Trade, tradeIn } from './order-fixture.ts';
import { assertInvalid, walk } from './report-fixture.ts';

const found = async (app: TestApp, q: string, more = '') =>
  (await walk(app, `/orders?q=${encodeURIComponent(q)}${more}`, { limit: 2 })).map(({ id }) => id);

const three = async (app: TestApp): Promise<{ trade: Trade; a: string; b: string; c: string }> => {
  const trade = await tradeIn(app, { available: '500.00' });
  const { id: a } = await trade.anOrder({ title: 'Oak Table', clientOrderRef: 'cart-100' });
  const { id: b } = await trade.anOrder({ title: 'a small TABLE lamp', clientOrderRef: 'cart-101' });
  const { id: c } = await trade.anOrder({ title: '100% wool_rug', clientOrderRef: 'CART-1' });
  return { trade, a, b, c };
};

test('an order is found by its id, and by the id of its buyer or seller', async (t) => {
  const app = await openApp(t);
  const { trade, a, b, c } = await three(app);
  const other = await tradeIn(app, {});
  const { id: d } = await other.anOrder();
  assert.deepEqual(await found(app, b), [b]);
  assert.deepEqual(await found(app, trade.buyerId), [c, b, a]);
  assert.deepEqual(await found(app, trade.sellerId), [c, b, a]);
  assert.deepEqual(await found(app, other.sellerId), [d]);
});

test('an order is found by the beginning of its reference, in the case it was written', async (t) => {
  const app = await openApp(t);
  const { a, b } = await three(app);
  assert.deepEqual(await found(app, 'cart-10'), [b, a]);
  assert.deepEqual(await found(app, 'cart-101'), [b]);
  assert.deepEqual(await found(app, 'art-10'), []);
});

test('an order is found by any part of its title, in any case', async (t) => {
  const app = await openApp(t);
  const { a, b } = await three(app);
  assert.deepEqual(await found(app, 'table'), [b, a]);
  assert.deepEqual(await found(app, 'OAK'), [a]);
});

test('signs that mean something to a database mean only themselves', async (t) => {
  const app = await openApp(t);
  const { c } = await three(app);
  assert.deepEqual(await found(app, '%'), [c]);
  assert.deepEqual(await found(app, '_'), [c]);
  assert.deepEqual(await found(app, 'cart_1'), []);
  assert.deepEqual(await found(app, "x' or 'a'='a"), []);
  assert.deepEqual(await found(app, '\\'), []);
});

test('a search goes together with the other filters', async (t) => {
  const app = await openApp(t);
  const { trade, a } = await three(app);
  await trade.done(`POST /orders/${a}/reserve`);
  assert.deepEqual(await found(app, 'table', '&status=FUNDS_RESERVED'), [a]);
});

test("a search never finds another marketplace's order", async (t) => {
  const app = await openApp(t);
  const { a } = await three(app);
  const key = await app.key(['read'], 'mkt_other');
  for (const q of [a, 'cart-10', 'table']) assert.deepEqual(await walk(app, `/orders?q=${q}`, { limit: 5, key }), []);
});

test('the beginning of a reference is found in an index, however many orders there are', async (t) => {
  const app = await openApp(t);
  await three(app);
  await app.sql(`insert into orders (marketplace_id, id, version, buyer_id, seller_id, amount, currency, title,
      client_order_ref, metadata, platform_fee_bps, status, created_at, updated_at)
    select marketplace_id, 'ord_' || lpad(n::text, 26, '0'), 1, buyer_id, seller_id, amount, currency, 'made', 'made-' || n,
      metadata, platform_fee_bps, status, created_at, updated_at
    from (select * from orders where marketplace_id = '${app.marketplaceId}' limit 1) o, generate_series(1, 4000) n`);
  await app.sql('analyze orders');
  const plan = await app.sql(
    `explain select id from orders where marketplace_id = '${app.marketplaceId}' and client_order_ref like 'made-377%'
     order by client_order_ref using ~<~ limit 1000`,
  );
  assert.match(JSON.stringify(plan), /orders_client_ref_prefix/);
  assert.equal((await found(app, 'made-377')).length, 11);
  await app.sql(`delete from orders where client_order_ref like 'made-%'`);
});

test('400 VALIDATION_ERROR for an empty search and for one that is too long', async (t) => {
  await assertInvalid(await openApp(t), ['GET /orders?q=', `GET /orders?q=${'x'.repeat(201)}`]);
});
