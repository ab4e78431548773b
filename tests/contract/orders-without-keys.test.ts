// ORDER_ROUTES_AUTH=off: the routes of orders, their escrows and resolutions ask for no key and take no notice of one; all others do.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { NOBODY, openShop, type Row, refusalIn, shopIn } from './order-ground.ts';

const OFF = { env: { ORDER_ROUTES_AUTH: 'off' } };

test('an order is created, found, reserved and canceled without a key, in mkt_default', async (t) => {
  const { app, buyerId, sellerId, figures } = await openShop(t, OFF);
  const call = async (request: string, body?: object): Promise<Row> => {
    const answer = await app.call(request, { key: null, ...(body ? { body } : {}) });
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data.data;
  };
  const { id } = await call('POST /orders', { buyerId, sellerId, amount: '100.00' });
  assert.equal((await call(`GET /orders/${id}`)).id, id);
  assert.deepEqual(
    (await call('GET /orders')).map((order: Row) => order.id),
    [id],
  );
  assert.deepEqual(await call(`GET /orders/${id}/milestones`), []);
  assert.equal((await call(`POST /orders/${id}/reserve`)).status, 'FUNDS_RESERVED');
  assert.deepEqual(await figures(), ['400.00', '100.00']);
  assert.equal((await call(`POST /orders/${id}/cancel`, { reason: 'x' })).status, 'CLOSED');
  const [row] = await app.sql('select marketplace_id from orders');
  assert.equal(row.marketplace_id, 'mkt_default');
});

test("the order's own marketplace is where it takes place, whoever's key is sent", async (t) => {
  const guarded = await openApp(t);
  const there = await guarded.key(['*'], 'mkt_there');
  const { order, figures } = await shopIn(guarded, { key: there, available: '500.00' });
  const { id } = await order();
  const open = await startApp(t, { ...OFF, connection: guarded.connection });
  for (const key of [null, there, await guarded.key(['read']), 'nonsense']) {
    const answer = await open.call(`GET /orders/${id}`, { key });
    assert.deepEqual([answer.status, answer.body.data.data.id], [200, id]);
    // A list names no order, so it is that of mkt_default.
    assert.deepEqual((await open.call('GET /orders', { key })).body.data.data, []);
  }
  assert.equal((await open.call(`POST /orders/${id}/reserve`, { key: null })).status, 201);
  assert.deepEqual(await figures(), ['400.00', '100.00']);
  const [entry] = (await guarded.call(`GET /audit/logs?resourceId=${id}`, { key: there })).body.data.data;
  assert.deepEqual([entry.action, entry.actorType, entry.actorId], ['ORDER_FUNDS_RESERVED', 'system', 'anonymous']);
});

test('what does not exist is 404, and what is malformed 400, as with keys', async (t) => {
  const { app } = await openShop(t, OFF);
  const refused = (request: string, body?: object) =>
    refusalIn(app, () => app.call(request, { key: null, ...(body ? { body } : {}) }));
  assert.equal((await refused(`GET /orders/${NOBODY.order}`)).code, 'ORDER_NOT_FOUND');
  assert.equal((await refused(`POST /orders/${NOBODY.order}/escrow`)).code, 'ORDER_NOT_FOUND');
  assert.equal((await refused(`POST /orders/${NOBODY.order}/resolution/release`)).code, 'ORDER_NOT_FOUND');
  assert.equal((await refused('POST /orders', {})).code, 'VALIDATION_ERROR');
});

test('all other routes still need their key, and the reference says which do not', async (t) => {
  const { app, buyerId } = await openShop(t, OFF);
  const others = ['GET /users', `GET /users/${buyerId}/balance`, 'GET /audit/logs', 'GET /auth/me', 'GET /disputes'];
  for (const request of others) {
    assert.equal((await app.call(request, { key: null })).status, 401, request);
  }
  const { paths } = (await (await fetch(`${app.url}/docs/openapi.json`)).json()) as Row;
  assert.deepEqual(paths['/api/v1/orders'].post.security, []);
  assert.deepEqual(paths['/api/v1/disputes/{id}/resolve'].post.security, [{ bearer: [] }]);
  assert.deepEqual(paths['/api/v1/users'].post.security, [{ bearer: [] }]);
});
