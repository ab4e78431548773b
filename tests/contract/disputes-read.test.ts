// GET /disputes and GET /disputes/{id}, by status. Pages, limits and cursors: lists.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareInFile } from '../support/share-in-file.ts';
import { openApp } from '../support/shared-app.ts';
import { openTrade, type Row, tradeIn, UNKNOWN } from './order-fixture.ts';

const EMPTY = { success: true, data: [], hasMore: false, nextCursor: null };

/** Three disputes, the newest first. */
const three = shareInFile(async (t) => {
  const trade = await openTrade(t, { sandbox: true });
  const disputes: Row[] = [];
  for (const openedBy of ['BUYER', 'SELLER', 'BUYER'] as const) {
    const between = { buyer: await trade.app.aUser({ available: '1000.00' }), seller: await trade.app.aUser() };
    disputes.unshift(await trade.aDispute({ openedBy, between }));
  }
  const other = await tradeIn(trade.app, { key: await trade.app.key(['*'], 'mkt_other') });
  return { trade, disputes, other };
});

test('200 shows a dispute with its order; 404 DISPUTE_NOT_FOUND to another marketplace and for unknown ids', async () => {
  const { trade, disputes, other } = three();
  const [dispute] = disputes;
  assert.equal(dispute.evidence, null, 'none was given');
  assert.deepEqual(await trade.done(`GET /disputes/${dispute.id}`), dispute);
  const missing = { status: 404, code: 'DISPUTE_NOT_FOUND', details: {} };
  await other.allRefused(async (refused) => {
    for (const id of [dispute.id, UNKNOWN.dispute, UNKNOWN.order, 'nonsense']) {
      assert.deepEqual(await refused(`GET /disputes/${id}`), missing);
    }
  });
});

test('200 lists newest first without the orders, page by page, by each filter, and only the own ones', async () => {
  const { trade, disputes, other } = three();
  const records = disputes.map(({ order, ...record }) => record);
  const list = async (query = '') => (await trade.app.call(`GET /disputes${query}`)).body.data;
  assert.deepEqual(await list(), { ...EMPTY, data: records });

  const first = await list('?limit=2');
  const second = await list(`?limit=2&cursor=${first.nextCursor}`);
  assert.deepEqual([first.data, first.hasMore], [records.slice(0, 2), true]);
  assert.deepEqual(second, { ...EMPTY, data: records.slice(2) });

  const [, middle, oldest] = disputes;
  await trade.done(`POST /disputes/${middle.id}/assign`, { body: { assignedTo: 'agent-7' } });
  const idsOf = async (query: string) => (await list(query)).data.map(({ id }: Row) => id);
  assert.deepEqual(await idsOf('?status=UNDER_REVIEW'), [middle.id]);
  assert.deepEqual(await idsOf('?status=RESOLVED'), []);
  assert.deepEqual(await idsOf('?openedBy=SELLER'), [middle.id]);
  assert.deepEqual(await idsOf('?opened_by=SELLER&status=OPEN'), []);
  assert.deepEqual(await idsOf(`?orderId=${oldest.orderId}`), [oldest.id]);
  assert.deepEqual(await idsOf(`?order_id=${oldest.orderId}&status=OPEN&limit=1`), [oldest.id]);

  const { buyerId, sellerId } = middle.order;
  assert.deepEqual(await idsOf(`?buyer_id=${buyerId}&seller_id=${sellerId}`), [middle.id]);
  assert.deepEqual(await idsOf(`?buyerId=${buyerId}&status=OPEN`), []);
  assert.deepEqual(await idsOf(`?sellerId=${oldest.order.sellerId}`), [oldest.id]);
  assert.deepEqual(await idsOf(`?sellerId=${buyerId}`), [], 'the buyer of an order is not its seller');
  assert.deepEqual(await idsOf(`?created_after=${oldest.createdAt}`), [disputes[0]!.id, middle.id]);
  assert.deepEqual(await idsOf(`?created_before=${middle.createdAt}`), [oldest.id]);
  assert.deepEqual(await idsOf(`?createdAfter=${oldest.createdAt}&createdBefore=${disputes[0]!.createdAt}`), [
    middle.id,
  ]);
  assert.deepEqual(await idsOf('?createdBefore=2020-01-01'), []);

  assert.deepEqual(await other.done('GET /disputes'), []);
  assert.deepEqual(await other.done(`GET /disputes?buyerId=${buyerId}`), []);
  assert.deepEqual(await other.done(`GET /disputes?orderId=${oldest.orderId}`), []);
});

test('200 with an empty list where there is nothing', async (t) => {
  const app = await openApp(t);
  assert.deepEqual((await app.call('GET /disputes')).body.data, EMPTY);
});

const DATES = ['createdAfter=soon', 'created_before=2026-13-01', 'buyerId='];

test('400 VALIDATION_ERROR on a bad filter', async () => {
  const { trade } = three();
  await trade.allRefused(async (refused) => {
    for (const query of ['status=GONE', 'openedBy=ADMIN', 'openedBy=BUYER&opened_by=BUYER', 'orderId=', ...DATES]) {
      const { status, code } = await refused(`GET /disputes?${query}`);
      assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], query);
    }
  });
});
