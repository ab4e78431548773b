// The form of answers, for successes and for errors.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Fixture, openServer } from './server-fixture.ts';

let server: Fixture;
before(async () => {
  server = await openServer();
});
after(() => server.app.close());

const API = '/api/v1';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('a plain answer is data and meta, and meta has the request id and the time', async () => {
  const answer = await server.ask('POST', `${API}/users/u1/credit`, { key: 'writer', body: { amount: '5.00' } });
  assert.equal(answer.status, 200);
  assert.deepEqual(Object.keys(answer.body), ['data', 'meta']);
  assert.equal(answer.body.meta.requestId, answer.headers.get('x-request-id'));
  assert.ok(Math.abs(Date.parse(answer.body.meta.timestamp) - Date.now()) < 60_000);
});

test('a field that the schema does not name is never sent', async () => {
  const answer = await server.ask('POST', `${API}/users/u1/credit`, { key: 'writer', body: { amount: '5.00' } });
  assert.deepEqual(answer.body.data, {
    userId: 'u1',
    total: '5.00',
    note: null,
    marketplaceId: 'mkt_shop',
    metadata: {},
  });
  assert.ok(!answer.text.includes('never leave'));
});

test('free-form data comes back as it was sent', async () => {
  const metadata = { plan_name: 'gold', 'odd key "x"': [1, { a_b: null }], ünï: '✓' };
  const answer = await server.ask('POST', `${API}/users/u1/credit`, {
    key: 'writer',
    body: { amount: '5.00', metadata },
  });
  assert.deepEqual(answer.body.data.metadata, metadata);
});

test('a success answer and a list are wrapped as the endpoint says', async () => {
  const touched = await server.ask('POST', `${API}/things/t1/touch`, { key: 'writer' });
  assert.equal(touched.status, 201);
  assert.equal(touched.body.data.success, true);
  assert.equal(touched.body.data.data.said.params.id, 't1');
  const listed = await server.ask('GET', `${API}/things`, { key: 'reader' });
  assert.deepEqual(Object.keys(listed.body.data), ['success', 'data', 'hasMore', 'nextCursor']);
  assert.equal(listed.body.data.hasMore, true);
  assert.equal(listed.body.data.nextCursor, 'thing_1');
});

test('an unexpected error is a 500 that shows no internals, and is logged with the request id', async () => {
  for (const [method, path, body] of [
    ['GET', '/boom'],
    ['POST', '/users/u1/credit', { amount: '0' }],
  ] as const) {
    const answer = await server.ask(method, API + path, { key: 'writer', ...(body ? { body } : {}) });
    assert.equal(answer.status, 500);
    assert.equal(answer.body.error.code, 'INTERNAL_ERROR');
    assert.deepEqual(Object.keys(answer.body.error.details), ['requestId', 'docUrl']);
    assert.ok(!/password|disk|10\.0\.0\.7|at /.test(answer.text));
    const logged = server.logs.find(
      (line) => line.msg === 'request failed' && line.requestId === answer.headers.get('x-request-id'),
    );
    assert.match(JSON.stringify(logged), /password|disk/);
  }
});

test('a broken connection of the server to another system is a 500, and a thrown text is never shown', async () => {
  for (const how of ['reset', 'text']) {
    const answer = await server.ask('GET', `${API}/boom?how=${how}`, { key: 'reader' });
    assert.deepEqual([answer.status, answer.body.error.code], [500, 'INTERNAL_ERROR']);
    assert.ok(!answer.text.includes('swordfish'));
  }
});

test('a refusal that says when to retry has Retry-After', async () => {
  const answer = await server.ask('POST', `${API}/users/u1/credit`, { key: 'writer', body: { amount: '500.00' } });
  assert.equal(answer.status, 503);
  assert.equal(answer.headers.get('retry-after'), '3');
});

test('a route that writes its own answer has the usual headers, and an error before it begins is in the envelope', async () => {
  const streamed = await server.ask('GET', `${API}/events`, { key: 'reader' });
  assert.equal(streamed.text, 'data: one\n\n');
  assert.equal(streamed.headers.get('content-type'), 'text/event-stream');
  assert.ok(streamed.headers.get('x-ratelimit-remaining'));
  assert.ok(streamed.headers.get('x-request-id'));
  const refused = await server.ask('GET', `${API}/events?fail=true`, { key: 'reader' });
  assert.equal(refused.status, 503);
  assert.equal(refused.body.error.code, 'SERVICE_UNAVAILABLE');
});

test("the caller's request id is kept when it is a valid token, and replaced when it is not", async () => {
  const given = async (id: string) =>
    (await server.ask('GET', `${API}/health`, { headers: { 'x-request-id': id } })).headers.get('x-request-id')!;
  assert.equal(await given('3f2b8a52-7f0e-4d0b-9f34-7c8f8c1d2e3f'), '3f2b8a52-7f0e-4d0b-9f34-7c8f8c1d2e3f');
  assert.equal(await given('trace/42:a'), 'trace/42:a');
  for (const bad of ['x'.repeat(201), 'a b', '<script>', '"quoted"', 'é']) assert.match(await given(bad), UUID);
  assert.match((await server.ask('GET', `${API}/nowhere`)).headers.get('x-request-id')!, UUID);
});

test('every answer has the security headers, and none names the server software', async () => {
  for (const path of ['/health', '/nowhere', '/things', '/boom']) {
    const { headers } = await server.ask('GET', API + path, path === '/boom' ? { key: 'reader' } : {});
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'");
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('strict-transport-security'), null);
    assert.equal(headers.get('server'), null);
    assert.equal(headers.get('x-powered-by'), null);
  }
});

test('one log line per request has the caller, the route and the result, without query or body', async () => {
  const { headers } = await server.ask('POST', `${API}/users/u1/credit?email=a@b.example`, {
    key: 'writer',
    body: { amount: '7.77' },
  });
  const lines = server.logs.filter((line) => JSON.stringify(line).includes(headers.get('x-request-id')!));
  assert.equal(lines.length, 1);
  const { durationMs, ...request } = lines[0]!.request as Record<string, unknown>;
  assert.ok(typeof durationMs === 'number' && durationMs > 0);
  assert.deepEqual(request, {
    method: 'POST',
    route: '/api/v1/users/:userId/credit',
    requestId: headers.get('x-request-id'),
    // The route has no such parameter.
    status: 400,
    apiKeyId: 'key_writer',
    marketplaceId: 'mkt_shop',
    traceId: null,
  });
});
