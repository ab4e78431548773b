// POST /orders/{id}/cancel, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventsOf, INVALID_STATE, openTrade, tradeIn, UNKNOWN } from './order-fixture.ts';

test('201 closes an order that nothing was reserved for', async (t) => {
  const { app, anOrder, buyerId, figures } = await openTrade(t);
  const { id } = await anOrder();
  const answer = await app.call(`POST /orders/${id}/cancel`);
  assert.equal(answer.status, 201);
  const { status, finalStatus, updatedAt } = answer.body.data.data;
  assert.deepEqual([status, finalStatus], ['CLOSED', 'CANCELED']);
  assert.deepEqual(await figures(), ['500.00', '0.00']);
  const [canceled, closed] = (await eventsOf(app)).slice(-2);
  const { canceledBy, canceledAt, ...told } = canceled.payload;
  assert.equal(canceled.eventType, 'order.canceled');
  assert.deepEqual(told, { orderId: id, buyerId, fundsReleased: false });
  assert.deepEqual([canceledAt, typeof canceledBy], [updatedAt, 'string']);
  assert.deepEqual(closed.payload, { orderId: id, finalStatus: 'CANCELED', closedAt: updatedAt });
});

test('201 gives the buyer back what was reserved, and keeps the reason', async (t) => {
  const { app, anOrder, done, figures } = await openTrade(t);
  const { id } = await anOrder();
  await done(`POST /orders/${id}/reserve`);
  const order2 = await done(`POST /orders/${id}/cancel`, { body: { reason: 'changed my mind' } });
  assert.deepEqual([order2.status, order2.finalStatus], ['CLOSED', 'CANCELED']);
  assert.deepEqual(await figures(), ['500.00', '0.00']);
  const [released, canceled, closed] = (await eventsOf(app)).slice(-3);
  assert.deepEqual(
    [released.eventType, released.payload.orderId, released.payload.reason, released.payload.amount],
    ['balance.released', id, 'cancel', '100.00'],
  );
  assert.deepEqual([canceled.payload.fundsReleased, canceled.payload.reason], [true, 'changed my mind']);
  assert.equal(closed.eventType, 'order.closed');
  const [entry] = (await app.call(`GET /audit/logs?resourceId=${id}&action=ORDER_CANCELED`)).body.data.data;
  assert.equal(entry.payloadAfter.reason, 'changed my mind');
});

test('201 gives back only what is reserved for this order', async (t) => {
  const { app, anOrder, done, figures, buyerId } = await openTrade(t);
  const first = await anOrder();
  const second = await anOrder();
  for (const { id } of [first, second]) await done(`POST /orders/${id}/reserve`);
  await app.call(`POST /users/${buyerId}/balance/reserve`, { body: { amount: '7.00' } });
  assert.deepEqual(await figures(), ['293.00', '207.00']);
  await done(`POST /orders/${first.id}/cancel`, { body: {} });
  assert.deepEqual(await figures(), ['393.00', '107.00']);
});

test('400 INVALID_STATE the second time, and nothing is given back twice', async (t) => {
  const { app, anOrder, done, refused, figures } = await openTrade(t);
  const { id } = await anOrder();
  await done(`POST /orders/${id}/reserve`);
  const answers = await Promise.all(Array.from({ length: 10 }, () => app.call(`POST /orders/${id}/cancel`)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(400)]);
  assert.deepEqual(await refused(`POST /orders/${id}/cancel`), INVALID_STATE('CLOSED', []));
  assert.deepEqual(await figures(), ['500.00', '0.00']);
});

test('400 VALIDATION_ERROR for a reason that is none, an unknown field or a body that is no JSON', async (t) => {
  const { anOrder, allRefused } = await openTrade(t);
  const { id } = await anOrder();
  const wrong = [{ reason: '' }, { reason: 7 }, { reason: 'x'.repeat(501) }, { why: 'x' }, '{ not json', '[]'];
  await allRefused(async (refused) => {
    for (const body of wrong) {
      const { status, code } = await refused(`POST /orders/${id}/cancel`, { body });
      assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], JSON.stringify(body));
    }
  });
});

test('404 ORDER_NOT_FOUND for unknown ids and for orders of another marketplace', async (t) => {
  const { app, anOrder } = await openTrade(t);
  const { id } = await anOrder();
  const other = await tradeIn(app, { key: await app.key(['*'], 'mkt_other') });
  for (const each of [id, UNKNOWN.order, 'nonsense']) {
    const { status, code } = await other.refused(`POST /orders/${each}/cancel`);
    assert.deepEqual([status, code], [404, 'ORDER_NOT_FOUND']);
  }
});
