// ORDER_ROUTES_AUTH=off: the routes of orders, their escrows and resolutions ask for no key and ignore one; all others ask for it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { type Row, tradeIn, UNKNOWN } from './order-fixture.ts';
import { refusalOf } from './refusals.ts';
import { assertScope } from './report-fixture.ts';

const server = shareInFile((t) => startApp(t, { env: { ORDER_ROUTES_AUTH: 'off' } }));

test('an order is created, found, reserved and canceled without a key, in mkt_default', async () => {
  const app = server();
  const { buyerId, sellerId, figures } = await tradeIn(app, { available: '500.00' });
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
  const [row] = await app.sql('select marketplace_id from orders where id = $1', [id]);
  assert.equal(row.marketplace_id, 'mkt_default');
});

test("the order's own marketplace is where it takes place, whatever key is sent", async (t) => {
  const app = server();
  // Without a key an order is made in mkt_default, so a server that asks for one makes it elsewhere.
  const guarded = await startApp(t, { connection: app.connection });
  const there = await app.key(['*'], 'mkt_there');
  const { anOrder, figures } = await tradeIn(guarded, { key: there, available: '500.00' });
  const { id } = await anOrder();
  const byDefault = (await app.call('GET /orders', { key: await app.key(['read']) })).body.data.data;
  for (const key of [null, there, await app.key(['read']), 'nonsense']) {
    const answer = await app.call(`GET /orders/${id}`, { key });
    assert.deepEqual([answer.status, answer.body.data.data.id], [200, id]);
    // A list names no order, so it is that of mkt_default.
    assert.deepEqual((await app.call('GET /orders', { key })).body.data.data, byDefault);
  }
  assert.ok(byDefault.every((each: Row) => each.id !== id));
  assert.equal((await app.call(`POST /orders/${id}/reserve`, { key: null })).status, 201);
  assert.deepEqual(await figures(), ['400.00', '100.00']);
  const [entry] = (await app.call(`GET /audit/logs?resourceId=${id}`, { key: there })).body.data.data;
  assert.deepEqual([entry.action, entry.actorType, entry.actorId], ['ORDER_FUNDS_RESERVED', 'system', 'anonymous']);
});

test('what does not exist is 404, and what is malformed 400, as with keys', async () => {
  const app = server();
  const refused = (request: string, body?: object) =>
    refusalOf(app, () => app.call(request, { key: null, ...(body ? { body } : {}) }));
  assert.equal((await refused(`GET /orders/${UNKNOWN.order}`)).code, 'ORDER_NOT_FOUND');
  assert.equal((await refused(`POST /orders/${UNKNOWN.order}/escrow`)).code, 'ORDER_NOT_FOUND');
  assert.equal((await refused(`POST /orders/${UNKNOWN.order}/resolution/release`)).code, 'ORDER_NOT_FOUND');
  assert.equal((await refused('POST /orders', {})).code, 'VALIDATION_ERROR');
});

test('all other routes still need their key, the timeline of an order too, and the reference says which do not', async () => {
  const app = server();
  const { buyerId, anOrder } = await tradeIn(app, {});
  const others = ['GET /users', `GET /users/${buyerId}/balance`, 'GET /audit/logs', 'GET /auth/me', 'GET /disputes'];
  for (const request of others) {
    assert.equal((await app.call(request, { key: null })).status, 401, request);
  }
  await assertScope(app, `GET /orders/${(await anOrder()).id}/timeline`, 'read');
  const { paths } = (await (await fetch(`${app.url}/docs/openapi.json`)).json()) as Row;
  assert.deepEqual(paths['/api/v1/orders'].post.security, []);
  assert.deepEqual(paths['/api/v1/disputes/{id}/resolve'].post.security, [{ bearer: [] }]);
  assert.deepEqual(paths['/api/v1/users'].post.security, [{ bearer: [] }]);
});
