// ORDER_IDEMPOTENCY: order, escrow and resolution routes ignore an Idempotency-Key, as the specification says, unless the operator lets
// them honour it.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type Answer, codeOf, startApp, type TestApp } from '../support/app.ts';
import { builderOf } from '../support/builder.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { openApp } from '../support/shared-app.ts';

const server = shareInFile((t) => startApp(t, { sandbox: true, env: { ORDER_IDEMPOTENCY: 'honour' } }));

const isReplay = ({ headers }: Answer): boolean => headers.get('idempotency-replay') === 'true';

/** Sends the same request twice with one key. */
const twice = async (app: TestApp, request: string, body?: object): Promise<[Answer, Answer]> => {
  const ask = { ...(body ? { body } : {}), headers: { 'idempotency-key': randomUUID() } };
  return [await app.call(request, ask), await app.call(request, ask)];
};

const newOrder = async (app: TestApp) => ({
  buyerId: await app.aUser({ available: '100.00' }),
  sellerId: await app.aUser(),
  amount: '10.00',
});

test('by default the key is ignored, also a malformed one: a repeat is a request of its own', async (t) => {
  const app = await openApp(t);
  const body = await newOrder(app);
  const [first, second] = await twice(app, 'POST /orders', body);
  assert.deepEqual([first.status, second.status], [201, 201]);
  assert.notEqual(first.body.data.data.id, second.body.data.data.id);
  assert.deepEqual([first.headers.get('x-idempotency-key'), isReplay(second)], [null, false]);
  const odd = await app.call('POST /orders', { body, headers: { 'idempotency-key': 'not a UUID' } });
  assert.equal(odd.status, 201);
  const [reserved, again] = await twice(app, `POST /orders/${first.body.data.data.id}/reserve`);
  assert.deepEqual([codeOf(reserved), codeOf(again)], ['201 undefined', '400 INVALID_STATE']);
});

test('with honour a repeat gets the first answer byte for byte for seven days, and has no second effect', async () => {
  const app = await server();
  const body = await newOrder(app);
  const [created, repeated] = await twice(app, 'POST /orders', body);
  const { id } = created.body.data.data;
  const rest = [
    await twice(app, `POST /orders/${id}/reserve`),
    await twice(app, `POST /orders/${id}/escrow`),
    await twice(app, `POST /orders/${id}/escrow/fund`),
    await twice(app, `POST /orders/${id}/resolution/refund`, { reason: 'agreed' }),
  ];
  for (const [first, again] of [[created, repeated] as const, ...rest]) {
    assert.ok([200, 201].includes(first.status), first.text);
    assert.deepEqual([again.status, again.text], [first.status, first.text]);
    assert.deepEqual([isReplay(first), isReplay(again)], [false, true]);
    assert.ok(again.headers.get('x-idempotency-key'));
  }
  const balance = await app.call(`GET /users/${body.buyerId}/balance`);
  assert.deepEqual([balance.body.data.available, balance.body.data.reserved], ['100.00', '0.00']);
  const kept = await app.sql(
    "select distinct extract(epoch from expires_at - created_at)::int as s from idempotency_answers where body like '%' || $1 || '%'",
    [id],
  );
  assert.deepEqual(kept, [{ s: 7 * 86_400 }]);
});

test('with honour a key of another request is 409, a malformed one is 400, and other routes keep their own time', async () => {
  const app = await server();
  const { aTopup } = builderOf(app);
  const body = await newOrder(app);
  const headers = { 'idempotency-key': randomUUID() };
  assert.equal((await app.call('POST /orders', { body, headers })).status, 201);
  const other = await app.call('POST /orders', { body: { ...body, amount: '11.00' }, headers });
  assert.equal(codeOf(other), '409 IDEMPOTENCY_KEY_REUSED');
  const odd = await app.call('POST /orders', { body, headers: { 'idempotency-key': 'not a UUID' } });
  assert.equal(codeOf(odd), '400 VALIDATION_ERROR');
  const { id } = await aTopup({ headers: { 'idempotency-key': randomUUID() } });
  const kept = await app.sql(
    "select extract(epoch from expires_at - created_at)::int as s from idempotency_answers where body like '%' || $1 || '%'",
    [id],
  );
  assert.deepEqual(kept, [{ s: 86_400 }]);
});
