// Repeating a request with the same Idempotency-Key: one effect, one answer.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { type Fixture, openServer } from './server-fixture.ts';

let server: Fixture;
let key: string;
before(async () => {
  server = await openServer();
});
beforeEach(() => {
  key = randomUUID();
});
after(() => server.app.close());

const CREDIT = '/api/v1/users/u1/credit';
const credit = (body: unknown, options: { path?: string; as?: string } = {}) =>
  server.ask('POST', options.path ?? CREDIT, {
    key: options.as ?? 'writer',
    body,
    headers: { 'idempotency-key': key },
  });

test('a repeat gets the first answer, byte for byte, with the header Idempotency-Replay', async () => {
  const first = await credit({ amount: '5.00' });
  const again = await credit({ amount: '5.00' });
  assert.equal(first.headers.get('idempotency-replay'), null);
  assert.equal(again.headers.get('idempotency-replay'), 'true');
  assert.equal(again.status, first.status);
  assert.equal(again.text, first.text);
  for (const answer of [first, again]) assert.equal(answer.headers.get('x-idempotency-key'), key);
  assert.notEqual(again.headers.get('x-request-id'), first.headers.get('x-request-id'));
});

test('equal content is the same request, whatever its order, its spelling and the case of the key', async () => {
  const first = await credit({ amount: '5.00', buyerId: 'b', metadata: { x: 1, y: { b: 1, a: 2 } } });
  key = key.toUpperCase();
  const again = await credit({ metadata: { y: { a: 2, b: 1 }, x: 1 }, buyer_id: 'b', amount: '5.00' });
  assert.equal(again.headers.get('idempotency-replay'), 'true');
  assert.equal(again.text, first.text);
});

test('the key with another body, another user or another route is 409 IDEMPOTENCY_KEY_REUSED', async () => {
  await credit({ amount: '5.00' });
  const others = [
    await credit({ amount: '6.00' }),
    await credit({ amount: '5.00' }, { path: '/api/v1/users/u2/credit' }),
    await credit({ amount: '5.00' }, { path: '/api/v1/users/u1/debit' }),
  ];
  for (const { status, body } of others) assert.deepEqual([status, body.error.code], [409, 'IDEMPOTENCY_KEY_REUSED']);
  assert.equal((await credit({ amount: '5.00' })).headers.get('idempotency-replay'), 'true');
});

test('the same key of another caller is another request', async () => {
  await credit({ amount: '5.00' });
  const other = await credit({ amount: '5.00' }, { as: 'other' });
  assert.equal(other.headers.get('idempotency-replay'), null);
  assert.equal(other.body.data.marketplaceId, 'mkt_other');
  assert.equal(
    (await server.ask('POST', CREDIT, { body: { amount: '5.00' }, headers: { 'idempotency-key': key } })).status,
    401,
  );
});

test('a business refusal is replayed', async () => {
  const first = await credit({ amount: '999.00' });
  const again = await credit({ amount: '999.00' });
  assert.equal(first.status, 422);
  assert.equal(again.headers.get('idempotency-replay'), 'true');
  assert.equal(again.text, first.text);
});

test('validation errors and 5xx are not kept: the key stays free', async () => {
  for (const amount of ['500.00', '0', 7]) {
    assert.ok((await credit({ amount })).status >= 400);
    assert.equal((await credit({ amount })).headers.get('idempotency-replay'), null);
  }
  assert.equal((await credit({ amount: '5.00' })).status, 200);
});

test('a duplicate that arrives while the first is running is 409 at once', async () => {
  const release = server.hold();
  const calls = server.calls.credit;
  const first = credit({ amount: '5.00' });
  while (server.calls.credit === calls) await new Promise((resolve) => setImmediate(resolve));
  const second = await credit({ amount: '5.00' });
  assert.deepEqual([second.status, second.body.error.code], [409, 'IDEMPOTENCY_KEY_IN_PROGRESS']);
  release();
  assert.equal((await first).status, 200);
  assert.equal((await credit({ amount: '5.00' })).headers.get('idempotency-replay'), 'true');
});

test('a key that is not a UUID of version 4 is 400, and a route that ignores keys ignores that too', async () => {
  for (const bad of ['abc', '3f2b8a52-7f0e-1d0b-9f34-7c8f8c1d2e3f', `${randomUUID()}, ${randomUUID()}`, '']) {
    key = bad;
    const answer = await credit({ amount: '5.00' });
    assert.deepEqual([answer.status, answer.body.error.code], [400, 'VALIDATION_ERROR'], bad);
    const ignored = await credit({ amount: '5.00' }, { path: '/api/v1/orders/u1/credit' });
    assert.equal(ignored.status, 200);
    assert.equal(ignored.headers.get('x-idempotency-key'), null);
  }
});

test('a route that ignores keys does the work each time', async () => {
  const path = '/api/v1/orders/u1/credit';
  await credit({ amount: '5.00' }, { path });
  assert.equal((await credit({ amount: '5.00' }, { path })).headers.get('idempotency-replay'), null);
});

test('a stored answer with a secret can be opened by the caller and not by a reader of the database', async () => {
  const ask = () =>
    server.ask('POST', '/api/v1/auth/api-keys', {
      key: 'master',
      body: { name: 'x' },
      headers: { 'idempotency-key': key },
    });
  const before = new Set(server.stored.keys());
  const first = await ask();
  const [name] = [...server.stored.keys()].filter((stored) => !before.has(stored));
  const { answer } = server.stored.get(name!)!;
  assert.match(first.body.data.key, /^secret-/);
  assert.ok(answer.body.startsWith('sealed.v1.'));
  assert.ok(!Buffer.from(answer.body.slice(10), 'base64url').includes('secret-'));
  assert.ok(!JSON.stringify([...server.stored]).includes(key));
  const again = await ask();
  assert.equal(again.text, first.text);
  assert.equal(again.headers.get('idempotency-replay'), 'true');
});
