// POST /orders, by status: what is created. What is refused is in orders-create-refused.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { eventsOf, openTrade, TWO_MILESTONES, tradeIn } from './order-fixture.ts';

test('201 creates an order with every field, and with the defaults for those not given', async (t) => {
  const { app, buyerId, sellerId } = await openTrade(t);
  const answer = await app.call('POST /orders', { body: { buyerId, sellerId, amount: '100' } });
  assert.equal(answer.status, 201);
  assert.deepEqual(Object.keys(answer.body), ['data', 'meta']);
  assert.equal(answer.body.data.success, true);
  const { id, createdAt, updatedAt, ...rest } = answer.body.data.data;
  assert.match(id, /^ord_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  assert.equal(updatedAt, createdAt);
  assert.deepEqual(rest, {
    status: 'ORDER_CREATED',
    finalStatus: null,
    amount: '100.00',
    currency: 'USD',
    buyerId,
    sellerId,
    title: '',
    description: null,
    clientOrderRef: null,
    metadata: {},
    platformFee: '5.00',
    platformFeePercent: '5.00',
    platformFeeAmount: '5.00',
    sellerNet: '95.00',
    buyerRefund: '0.00',
    escrow: null,
    dispute: null,
    milestones: [],
    operation: null,
    policy: null,
    deadlines: [],
  });
  assert.deepEqual((await app.call(`GET /orders/${id}`)).body.data, answer.body.data);
});

test('201 keeps what was sent, in either spelling of the fields', async (t) => {
  const { app, buyerId, sellerId, done } = await openTrade(t);
  const metadata = { platformFee: 2.5, plan: 'gold', snake_case: { nested: [1, null, 'ü'] } };
  const rest = { amount: '100.00', currency: 'USDC', title: 'Logo', description: 'A logo in two drafts', metadata };
  const camel = { buyerId, sellerId, clientOrderRef: 'cart-1', milestones: TWO_MILESTONES, ...rest };
  const snake = {
    buyer_id: buyerId,
    seller_id: sellerId,
    client_order_ref: 'cart-2',
    milestones: TWO_MILESTONES.map(({ ref, ...milestone }) => ({ milestone_ref: ref, ...milestone })),
    ...rest,
  };
  for (const body of [camel, snake]) {
    const order = await done('POST /orders', { body });
    const { buyerId: buyer, sellerId: seller, clientOrderRef, platformFee, milestones } = order;
    assert.deepEqual([buyer, seller], [buyerId, sellerId]);
    assert.equal(clientOrderRef, body === camel ? 'cart-1' : 'cart-2');
    assert.deepEqual([order.currency, order.title, order.description], ['USDC', 'Logo', 'A logo in two drafts']);
    assert.deepEqual([order.metadata, platformFee], [metadata, '2.50']);
    assert.deepEqual(
      milestones,
      TWO_MILESTONES.map((milestone) => ({ ...milestone, status: 'OPEN', completedAt: null })),
    );
    assert.deepEqual(await done(`GET /orders/${order.id}`), order);
  }
  assert.equal((await app.sql('select 1 from orders')).length, 2);
});

test('201 takes each field at its limit, and an empty title and description as none', async (t) => {
  const { anOrder } = await openTrade(t);
  const milestones = Array.from({ length: 10 }, (_, i) => ({
    ref: `${'😀'.repeat(119)}${i}`,
    title: 'x'.repeat(200),
    amount: '1000000',
  }));
  const largest = await anOrder({
    amount: '10000000.00',
    title: '😀'.repeat(200),
    description: 'x'.repeat(2_000),
    clientOrderRef: 'x'.repeat(200),
    milestones,
  });
  assert.deepEqual([largest.amount, largest.milestones.length], ['10000000.00', 10]);
  assert.deepEqual(
    largest.milestones.map(({ ref }: { ref: string }) => ref),
    milestones.map(({ ref }) => ref),
  );
  const smallest = await anOrder({ amount: '0.01', title: '', description: '' });
  assert.deepEqual([smallest.amount, smallest.title, smallest.description], ['0.01', '', null]);
});

test('201 takes the platform fee as a number or a decimal string, from 0 to 99 with two places at most', async (t) => {
  const { anOrder } = await openTrade(t);
  const cases: [unknown, string][] = [
    [0, '0.00'],
    ['0', '0.00'],
    [5, '5.00'],
    [7.25, '7.25'],
    ['7.2', '7.20'],
    ['99', '99.00'],
    [0.01, '0.01'],
  ];
  for (const [given, shown] of cases) {
    const { platformFee, metadata } = await anOrder({ metadata: { platformFee: given } });
    assert.deepEqual([platformFee, metadata.platformFee], [shown, given]);
  }
});

test('a created order is its event and its audit entry', async (t) => {
  const { app, buyerId, sellerId, anOrder } = await openTrade(t);
  const { id, createdAt } = await anOrder({ title: 'Logo', clientOrderRef: 'cart-1', milestones: TWO_MILESTONES });
  const event = (await eventsOf(app)).at(-1);
  assert.deepEqual([event.eventType, event.aggregateId, event.occurredAt], ['order.created', id, createdAt]);
  const money = { amount: '100.00', currency: 'USD' };
  const told = { orderId: id, buyerId, sellerId, ...money, title: 'Logo', clientOrderRef: 'cart-1' };
  assert.deepEqual(event.payload, told);
  const [entry, ...more] = (await app.call(`GET /audit/logs?resourceId=${id}`)).body.data.data;
  assert.deepEqual([entry.action, entry.resourceType, more.length], ['ORDER_CREATED', 'Order', 0]);
});

test('two orders of the same content are two orders: an Idempotency-Key is ignored, a malformed one too', async (t) => {
  const { app, buyerId, sellerId } = await openTrade(t);
  const body = { buyerId, sellerId, amount: '5.00' };
  const key = randomUUID();
  const ids = new Set<string>();
  for (const each of [key, key, 'nonsense']) {
    const answer = await app.call('POST /orders', { body, headers: { 'idempotency-key': each } });
    assert.deepEqual([answer.status, answer.headers.get('idempotency-replay')], [201, null]);
    assert.equal(answer.headers.get('x-idempotency-key'), null);
    ids.add(answer.body.data.data.id);
  }
  assert.equal(ids.size, 3);
});

test('409 ORDER_ALREADY_EXISTS names the order that has the clientOrderRef, in this marketplace only (defect 26)', async (t) => {
  const { app, buyerId, sellerId, anOrder, refused } = await openTrade(t);
  const { id } = await anOrder({ clientOrderRef: 'cart-1' });
  const body = { buyerId, sellerId, amount: '7.00', clientOrderRef: 'cart-1' };
  const { status, code, details } = await refused('POST /orders', { body });
  assert.deepEqual([status, code, details.orderId], [409, 'ORDER_ALREADY_EXISTS', id]);
  const elsewhere = await tradeIn(app, { key: await app.key(['*'], 'mkt_other') });
  assert.equal((await elsewhere.anOrder({ clientOrderRef: 'cart-1' })).clientOrderRef, 'cart-1');
});

test('twenty creations with one clientOrderRef at once make one order', async (t) => {
  const { app, buyerId, sellerId } = await openTrade(t);
  const body = { buyerId, sellerId, amount: '7.00', clientOrderRef: 'cart-1' };
  const answers = await Promise.all(Array.from({ length: 20 }, () => app.call('POST /orders', { body })));
  const made = answers.filter(({ status }) => status === 201);
  assert.equal(made.length, 1);
  const { id } = made[0]!.body.data.data;
  for (const { status, body: refusal } of answers.filter((answer) => answer.status !== 201)) {
    assert.deepEqual([status, refusal.error.code], [409, 'ORDER_ALREADY_EXISTS']);
    assert.equal(refusal.error.details.orderId, id);
  }
});
