// POST /orders/{id}/reserve, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventsOf, INVALID_STATE, openTrade, tradeIn, UNKNOWN } from './order-fixture.ts';

test('201 moves the amount from available to reserved and answers the order', async (t) => {
  const { app, anOrder, figures, buyerId } = await openTrade(t);
  const { id } = await anOrder({ amount: '120.00' });
  const answer = await app.call(`POST /orders/${id}/reserve`);
  assert.equal(answer.status, 201);
  const { status, amount } = answer.body.data.data;
  assert.deepEqual([status, amount], ['FUNDS_RESERVED', '120.00']);
  assert.deepEqual(await figures(), ['380.00', '120.00']);
  const told = (await eventsOf(app)).slice(-2);
  assert.deepEqual(
    told.map(({ eventType, aggregateId }) => [eventType, aggregateId]),
    [
      ['balance.reserved', buyerId],
      ['order.funds_reserved', id],
    ],
  );
  assert.deepEqual(told[1].payload, {
    orderId: id,
    buyerId,
    amount: '120.00',
    currency: 'USD',
    reservedBalance: '120.00',
    availableBalance: '380.00',
  });
});

test('201 whatever the body is: it is not read, malformed JSON neither', async (t) => {
  const { app, anOrder } = await openTrade(t);
  for (const body of [{ amount: '1.00' }, '{ not json', '', '[]']) {
    const { id } = await anOrder();
    assert.equal((await app.call(`POST /orders/${id}/reserve`, { body })).status, 201, String(body));
  }
});

test("201 draws on the balance of the order's currency, and on no other", async (t) => {
  const { app, anOrder, figures, refused, buyerId } = await openTrade(t);
  const { id } = await anOrder({ currency: 'USDC', amount: '5.00' });
  const short = await refused(`POST /orders/${id}/reserve`);
  assert.deepEqual(short.details, { requested: '5.00', available: '0.00', currency: 'USDC' });
  await app.call(`POST /users/${buyerId}/balance/credit`, { body: { amount: '5.00', currency: 'USDC' } });
  assert.equal((await app.call(`POST /orders/${id}/reserve`)).status, 201);
  assert.deepEqual(await figures(), ['500.00', '0.00']);
});

test('422 INSUFFICIENT_FUNDS leaves the order where it was, and money that comes later is enough', async (t) => {
  const { app, anOrder, refused, done, buyerId } = await openTrade(t, { available: '99.99' });
  const { id } = await anOrder();
  assert.deepEqual(await refused(`POST /orders/${id}/reserve`), {
    status: 422,
    code: 'INSUFFICIENT_FUNDS',
    details: { requested: '100.00', available: '99.99', currency: 'USD' },
  });
  assert.equal((await done(`GET /orders/${id}`)).status, 'ORDER_CREATED');
  await app.call(`POST /users/${buyerId}/balance/credit`, { body: { amount: '0.01' } });
  assert.equal((await done(`POST /orders/${id}/reserve`)).status, 'FUNDS_RESERVED');
});

test('400 INVALID_STATE once it is reserved or canceled, with what is allowed', async (t) => {
  const { anOrder, done, refused, figures } = await openTrade(t);
  const { id } = await anOrder();
  await done(`POST /orders/${id}/reserve`);
  const repeated = await refused(`POST /orders/${id}/reserve`);
  assert.deepEqual(repeated, INVALID_STATE('FUNDS_RESERVED', ['cancel', 'create_escrow']));
  assert.deepEqual(await figures(), ['400.00', '100.00']);
  await done(`POST /orders/${id}/cancel`);
  assert.deepEqual(await refused(`POST /orders/${id}/reserve`), INVALID_STATE('CLOSED', []));
});

test('twenty reservations of one order at once are one: one 201, nineteen 400', async (t) => {
  const { app, anOrder, figures } = await openTrade(t);
  const { id } = await anOrder();
  const answers = await Promise.all(Array.from({ length: 20 }, () => app.call(`POST /orders/${id}/reserve`)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(19).fill(400)]);
  assert.deepEqual(await figures(), ['400.00', '100.00']);
});

test('ten orders at once over money for four: four are reserved, nothing is overdrawn', async (t) => {
  const { app, anOrder, figures } = await openTrade(t, { available: '450.00' });
  const ids: string[] = [];
  for (let i = 0; i < 10; i++) ids.push((await anOrder()).id);
  const answers = await Promise.all(ids.map((id) => app.call(`POST /orders/${id}/reserve`)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(4).fill(201), ...Array(6).fill(422)]);
  assert.deepEqual(await figures(), ['50.00', '400.00']);
});

test('404 ORDER_NOT_FOUND for unknown ids and for orders of another marketplace', async (t) => {
  const { app, anOrder } = await openTrade(t);
  const { id } = await anOrder();
  const other = await tradeIn(app, { key: await app.key(['*'], 'mkt_other') });
  for (const each of [id, UNKNOWN.order, 'nonsense']) {
    const { status, code } = await other.refused(`POST /orders/${each}/reserve`);
    assert.deepEqual([status, code], [404, 'ORDER_NOT_FOUND']);
  }
});
