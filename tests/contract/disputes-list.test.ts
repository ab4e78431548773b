// GET /disputes, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApp } from '../support/shared-app.ts';
import { disputeIn, openShop, type Row, refusalIn, shopIn } from './order-ground.ts';

const EMPTY = { success: true, data: [], hasMore: false, nextCursor: null };

test('200 lists newest first without the orders, page by page, by each filter, and only the own ones', async (t) => {
  const shop = await openShop(t, { sandbox: true });
  const disputes: Row[] = [];
  for (const openedBy of ['BUYER', 'SELLER', 'BUYER']) disputes.unshift(await disputeIn(shop, { openedBy }));
  const records = disputes.map(({ order, ...record }) => record);
  const list = async (query = '') => (await shop.app.call(`GET /disputes${query}`)).body.data;
  assert.deepEqual(await list(), { ...EMPTY, data: records });

  const first = await list('?limit=2');
  const second = await list(`?limit=2&cursor=${first.nextCursor}`);
  assert.deepEqual([first.data, first.hasMore], [records.slice(0, 2), true]);
  assert.deepEqual(second, { ...EMPTY, data: records.slice(2) });

  const [, middle, oldest] = disputes;
  await shop.done(`POST /disputes/${middle.id}/assign`, { body: { assignedTo: 'agent-7' } });
  const idsOf = async (query: string) => (await list(query)).data.map(({ id }: Row) => id);
  assert.deepEqual(await idsOf('?status=UNDER_REVIEW'), [middle.id]);
  assert.deepEqual(await idsOf('?status=RESOLVED'), []);
  assert.deepEqual(await idsOf('?openedBy=SELLER'), [middle.id]);
  assert.deepEqual(await idsOf('?opened_by=SELLER&status=OPEN'), []);
  assert.deepEqual(await idsOf(`?orderId=${oldest.orderId}`), [oldest.id]);
  assert.deepEqual(await idsOf(`?order_id=${oldest.orderId}&status=OPEN&limit=1`), [oldest.id]);

  const other = await shopIn(shop.app, { key: await shop.app.key(['*'], 'mkt_other') });
  assert.deepEqual(await other.done('GET /disputes'), []);
  assert.deepEqual(await other.done(`GET /disputes?orderId=${oldest.orderId}`), []);
});

test('200 with an empty list where there is nothing', async (t) => {
  const app = await openApp(t);
  assert.deepEqual((await app.call('GET /disputes')).body.data, EMPTY);
});

test('400 VALIDATION_ERROR on a bad limit, cursor, filter or parameter', async (t) => {
  const { refused } = await openShop(t);
  for (const query of [
    'limit=0',
    'limit=101',
    'cursor=x',
    'cursor=ord_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'status=GONE',
    'openedBy=ADMIN',
    'openedBy=BUYER&opened_by=BUYER',
    'orderId=',
    'colour=red',
  ]) {
    const { status, code } = await refused(`GET /disputes?${query}`);
    assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], query);
  }
});

test('401 without a key, and 403 with one that cannot read', async (t) => {
  const app = await openApp(t);
  const keys = { none: null, support: await app.key(['write', 'support']) };
  assert.equal((await refusalIn(app, () => app.call('GET /disputes', { key: keys.none }))).status, 401);
  const { status, details } = await refusalIn(app, () => app.call('GET /disputes', { key: keys.support }));
  assert.deepEqual([status, details.requiredScope], [403, 'read']);
});
