// Authentication and errors of Surface B: always in its own envelope, and never on the paths of Surface A.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MASTER_KEY } from '../support/app.ts';
import { callRoot, openPeople, openSharedPeople, type PeopleFixture, refused } from './people-fixture.ts';

const NO_TOKEN = { status: 401, message: 'Missing or invalid authorization token' };

const PERSONAL = [
  'GET /balances',
  'GET /balances/transactions',
  'GET /projects',
  'POST /projects',
  'POST /wallets/connect',
  'POST /escrow/release',
];

/** A token of an API key of Surface A. */
const apiToken = async ({ app }: PeopleFixture): Promise<string> => {
  const { id, key } = (await app.call('POST /auth/api-keys', { key: MASTER_KEY, body: { name: 'all', scopes: ['*'] } }))
    .body.data;
  return (await app.call(`POST /auth/api-keys/${id}/token`, { key })).body.data.token;
};

test('401 on every route that needs a token, without a token and with a foreign token, before the body is checked', async (t) => {
  const fixture = await openSharedPeople(t);
  const { token } = await fixture.anyPerson();
  const foreign = [await fixture.app.key(['*']), MASTER_KEY, await apiToken(fixture), `${token}x`, 'a.b.c', 'nonsense'];
  for (const request of PERSONAL) {
    const body = request.startsWith('POST') ? { body: {} } : {};
    assert.deepEqual(refused(await fixture.call(request, body)), NO_TOKEN);
    for (const bearer of foreign)
      assert.deepEqual(refused(await fixture.call(request, { token: bearer, ...body })), NO_TOKEN);
    assert.notEqual((await fixture.call(request, { token, ...body })).status, 401);
  }
});

test('a token of Surface B is refused on Surface A, and a token of Surface A is refused on Surface B', async (t) => {
  const fixture = await openSharedPeople(t);
  const { token, id } = await fixture.anyPerson();
  for (const request of ['GET /auth/me', 'GET /users', `GET /users/${id}/balance`, 'GET /events', 'GET /audit/logs']) {
    const answer = await fixture.app.call(request, { key: token });
    assert.deepEqual([answer.status, answer.body.error.code], [401, 'UNAUTHORIZED'], request);
  }
  const key = await apiToken(fixture);
  assert.equal((await fixture.app.call('GET /auth/me', { key })).status, 200);
  assert.deepEqual(refused(await fixture.call('GET /balances', { token: key })), NO_TOKEN);
});

test('the spelling of a path does not change who is admitted, neither for this request nor for the next ones', async (t) => {
  // Its own server: each route is asked for the first time.
  const { app, anyPerson } = await openPeople(t);
  const { token } = await anyPerson();
  for (const path of ['/%61pi/v1/events', '/api%2Fv1/events', '/%61pi/v1/users', '/a%70i/v1/auth/me']) {
    const { status, body } = await callRoot(app.url, `GET ${path}`, { token });
    assert.ok(status === 401 || status === 404, `${path} ${status}`);
    if (status === 401) assert.equal(body.error.code, 'UNAUTHORIZED');
  }
  assert.equal((await callRoot(app.url, 'DELETE /%61pi/v1/auth/api-keys/none')).status, 401);
  const answer = await app.call('DELETE /auth/api-keys/none', { key: MASTER_KEY });
  assert.equal(answer.status, 404, answer.text);
  assert.equal((await app.call('GET /users')).status, 200);
  assert.equal((await callRoot(app.url, 'GET /%62alances', { token })).status, 200, 'and a person is admitted as ever');
});

test('401 for a token of another marketplace than the configured one', async (t) => {
  const first = await openSharedPeople(t);
  const { token } = await first.anyPerson();
  const env = { SURFACE_B_MARKETPLACE: 'mkt_served-now' };
  const second = await openPeople(t, { env, connection: first.app.connection });
  assert.deepEqual(refused(await second.call('GET /balances', { token })), NO_TOKEN);
  const { token: own, id } = await second.aPerson();
  assert.equal((await second.call('GET /balances', { token: own })).status, 200);
  assert.equal((await first.app.call(`GET /users/${id}`)).status, 404);
  const key = await second.app.key(['read'], env.SURFACE_B_MARKETPLACE);
  assert.equal((await first.app.call(`GET /users/${id}`, { key })).status, 200);
});

test('404 and 405 at the root have the envelope of Surface B, and under the prefixes of Surface A its envelope', async (t) => {
  const { app, call } = await openSharedPeople(t);
  for (const request of ['POST /', 'GET /nowhere', 'GET /projects/prj_1', 'POST /orders', 'GET /apis', 'GET /auth']) {
    const { status, message } = refused(await call(request));
    assert.equal(status, 404, request);
    assert.match(message, /no such route/);
  }
  const wrong = await call('DELETE /projects');
  assert.equal(refused(wrong).status, 405);
  assert.equal(wrong.headers.get('allow'), 'GET, HEAD, POST');
  for (const path of ['/api/v1/nowhere', '/api/v2/projects', '/api', '/docs/nowhere', '/metrics/nowhere']) {
    const answer = await callRoot(app.url, `GET ${path}`);
    assert.deepEqual([answer.status, answer.body.error.code], [404, 'ROUTE_NOT_FOUND'], path);
  }
});

test('404 for a path of Surface A without its prefix, or for a usual address of a page, names the right one', async (t) => {
  const { app, call } = await openSharedPeople(t);
  for (const [request, meant] of [
    ['POST /orders', 'POST /api/v1/orders'],
    ['GET /users/usr_1/balance?currency=USD', 'GET /api/v1/users/usr_1/balance'],
    ['GET /v1/orders', 'GET /api/v1/orders'],
    ['GET /doc', 'GET /docs/'],
    ['GET /admin', 'GET /console'],
  ] as const) {
    const { status, message } = refused(await call(request));
    assert.deepEqual([status, message], [404, `There is no such route. Did you mean ${meant}?`]);
  }
  assert.doesNotMatch(refused(await call('DELETE /orders')).message, /Did you mean/);
  const { status, body } = await callRoot(app.url, 'GET /api/orders');
  assert.equal(status, 404);
  assert.equal(body.error.message, 'There is no such route. Did you mean GET /api/v1/orders?');
});

test('400, 413 and 415 for an unreadable body, in the envelope of Surface B', async (t) => {
  const { call } = await openSharedPeople(t);
  for (const body of ['{"email":', 'null', '{"email":"a\\u0000b"}', '{"__proto__":{}}']) {
    const { status, message, errors } = refused(await call('POST /auth/login', { body }));
    assert.deepEqual([status, message, errors?.length], [400, 'The body is not readable JSON', 1], body);
  }
  const large = await call('POST /auth/login', { body: { email: 'x'.repeat(300_000), password: 'x' } });
  assert.deepEqual([large.status, refused(large).message], [413, 'The body is too large.']);
  const other = await call('POST /auth/login', { body: 'email=x', headers: { 'content-type': 'text/plain' } });
  assert.deepEqual(refused(other), { status: 415, message: 'Send the body as `Content-Type: application/json`.' });
  assert.equal(refused(await call('GET /projects?x=%00')).status, 401);
  assert.equal(refused(await call('GET /%zz')).status, 400);
});

test('429 in the envelope of Surface B when a person, or an address without a token, sends too many requests; other people are served', async (t) => {
  const fixture = await openPeople(t, { env: { RATE_LIMIT_MAX: '12' } });
  const ada = await fixture.aPerson();
  const eve = await fixture.aPerson();
  for (let n = 0; n < 12; n++) assert.equal((await fixture.call('GET /balances', { token: ada.token })).status, 200);
  const answer = await fixture.call('GET /balances', { token: ada.token });
  assert.deepEqual(refused(answer), { status: 429, message: 'Too many requests. Wait and try again.' });
  assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
  assert.equal(answer.headers.get('x-ratelimit-limit'), '12');
  assert.equal(answer.headers.get('x-ratelimit-remaining'), '0');
  assert.equal((await fixture.call('GET /balances', { token: eve.token })).status, 200);
  for (let n = 0; n < 12; n++) await fixture.call('GET /projects', { token: 'a.b.c' });
  assert.equal(refused(await fixture.call('GET /projects', { token: 'a.b.c' })).status, 429);
});

test('500 in the envelope of Surface B contains no internal detail', async (t) => {
  const { app, aPerson, call } = await openPeople(t);
  const { token } = await aPerson();
  await app.sql('alter table projects rename to projects_elsewhere');
  const answer = await call('GET /projects', { token });
  const { status, message } = refused(answer);
  assert.equal(status, 500);
  assert.match(message, /^Something went wrong on our side/);
  assert.ok(!answer.text.includes('relation') && !answer.text.includes('projects'));
});

test('404 at the root when Surface B is off', async (t) => {
  const { app, call } = await openSharedPeople(t, { env: { SURFACE_B: 'off' } });
  for (const request of ['POST /auth/register', 'GET /balances', 'GET /openapi.json']) {
    const answer = await call(request);
    assert.deepEqual([answer.status, answer.body.error.code], [404, 'ROUTE_NOT_FOUND']);
  }
  assert.equal((await app.call('GET /users')).status, 200);
});

test('every answer has the headers that a browser needs and the request id', async (t) => {
  const { anyPerson, call } = await openSharedPeople(t);
  const { token } = await anyPerson();
  for (const answer of [
    await call('GET /balances', { token, headers: { 'x-request-id': 'mine-1' } }),
    await call('GET /nowhere', { headers: { 'x-request-id': 'mine-1' } }),
  ]) {
    assert.equal(answer.headers.get('x-request-id'), 'mine-1');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  }
  const head = await call('HEAD /balances', { token });
  assert.deepEqual([head.status, head.text], [200, '']);
});
