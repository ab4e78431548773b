// Previews through the SDK: the option `dryRun`, the type of the answer, and a server that does not know previews.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { Holdfast, HoldfastError, type Order, type Preview } from '@holdfast/sdk';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { openApp } from '../support/shared-app.ts';

const clientOf = async (app: Awaited<ReturnType<typeof openApp>>): Promise<Holdfast> =>
  new Holdfast({ url: app.url, apiKey: await app.key(['*']) });

test('dryRun: true returns what the call would do, and the call returns it afterwards', async (t) => {
  const app = await openApp(t);
  const holdfast = await clientOf(app);
  const buyerId = await app.aUser({ available: '50.00' });
  const sellerId = await app.aUser();
  const input = { buyerId, sellerId, amount: '40.00' };
  const made: Preview<Order> = await holdfast.orders.create(input, { dryRun: true });
  assert.deepEqual([made.status, made.reply.status, made.reply.amount], [201, 'ORDER_CREATED', '40.00']);
  assert.deepEqual(await Array.fromAsync(holdfast.orders.list()), []);
  const order: Order = await holdfast.orders.create(input);
  assert.notEqual(order.id, made.reply.id);
  const { postings, balances, events } = await holdfast.orders.reserve(order.id, { dryRun: true });
  assert.deepEqual(
    postings.map(({ move, amount }) => [move, amount]),
    [['reserve', '40.00']],
  );
  assert.deepEqual(balances[0]?.after, { available: '10.00', reserved: '40.00' });
  assert.ok(events.some(({ type }) => type === 'order.funds_reserved'));
  const reserved = await holdfast.orders.reserve(order.id);
  assert.equal(reserved.status, 'FUNDS_RESERVED');
  // A read ignores the option.
  assert.equal((await holdfast.orders.get(order.id, { dryRun: true })).id, order.id);
});

test('a preview that would be refused fails with the very error, and a call without a preview with VALIDATION_ERROR', async (t) => {
  const app = await openApp(t);
  const holdfast = await clientOf(app);
  const userId = await app.aUser({ available: '5.00' });
  await assert.rejects(holdfast.balances.debit(userId, { amount: '9.00' }, { dryRun: true }), {
    code: 'INSUFFICIENT_FUNDS',
    status: 422,
    outcomeUnknown: false,
  });
  await assert.rejects(holdfast.balances.sync(userId, {}, { dryRun: true }), { code: 'VALIDATION_ERROR' });
});

test('a dry run is repeated with one key: an older server that ignores the header carries it out once', async (t) => {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key']);
    if (keys.length < 3) return void request.socket.destroy();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: { available: '1.00' }, meta: {} }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(t, async () => void server.close());
  const { port } = server.address() as { port: number };
  const holdfast = new Holdfast({ url: `http://127.0.0.1:${port}`, apiKey: 'key' });
  await assert.rejects(holdfast.balances.credit('usr_1', { amount: '1.00' }, { dryRun: true }));
  assert.equal(keys.length, 3);
  assert.equal(typeof keys[0], 'string');
  assert.equal(new Set(keys).size, 1);
  // The key of an order route counts only where the server says so: it is not repeated.
  keys.length = 0;
  await assert.rejects(holdfast.orders.cancel('ord_1', {}, { dryRun: true }));
  assert.equal(keys.length, 1);
});

test('an answer without the header fails: an older server has carried the request out', async (t) => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: { available: '1.00' }, meta: {} }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(t, async () => void server.close());
  const { port } = server.address() as { port: number };
  const holdfast = new Holdfast({ url: `http://127.0.0.1:${port}`, apiKey: 'key', maxRetries: 0 });
  await assert.rejects(
    holdfast.balances.credit('usr_1', { amount: '1.00' }, { dryRun: true }),
    (error: unknown) =>
      error instanceof HoldfastError &&
      error.code === 'UNEXPECTED_ANSWER' &&
      error.outcomeUnknown &&
      /older/.test(error.message),
  );
});
