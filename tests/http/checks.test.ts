// The order in which a request is checked, and the answer of each check.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Fixture, openServer } from './server-fixture.ts';

let server: Fixture;
before(async () => {
  server = await openServer();
});
after(() => server.app.close());

const API = '/api/v1';

test('401 without a key, with an unknown key and with another scheme', async () => {
  const askings: Record<string, string>[] = [
    {},
    { authorization: 'Bearer unknown' },
    { authorization: 'Basic writer' },
    { authorization: 'Bearer' },
  ];
  for (const headers of askings) {
    const answer = await server.ask('GET', `${API}/things`, { headers });
    assert.equal(answer.status, 401);
    assert.equal(answer.body.error.code, 'UNAUTHORIZED');
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
    assert.equal(answer.body.error.details.requestId, answer.headers.get('x-request-id'));
  }
});

test('a key that must be read from the database is accepted like a cached one', async () => {
  assert.equal((await server.ask('GET', `${API}/things`, { key: 'late-reader' })).status, 200);
  assert.equal((await server.ask('GET', `${API}/things`, { key: 'late-unknown' })).status, 401);
});

test('403 names the scope that is missing and those the key holds', async () => {
  const answer = await server.ask('POST', `${API}/users/u1/credit`, { key: 'reader', text: '{' });
  assert.equal(answer.status, 403);
  assert.equal(answer.body.error.code, 'INSUFFICIENT_SCOPE');
  const { requiredScope, scopes } = answer.body.error.details;
  assert.deepEqual({ requiredScope, scopes }, { requiredScope: 'write', scopes: ['read'] });
  assert.equal(
    (await server.ask('POST', `${API}/disputes/d1/resolve`, { key: 'writer' })).body.error.details.requiredScope,
    'support',
  );
});

test('a master route refuses every API key, also one with the scope *', async () => {
  const answer = await server.ask('POST', `${API}/auth/api-keys`, { key: 'other', body: { name: 'x' } });
  assert.equal(answer.status, 403);
  assert.equal(answer.body.error.details.requiredScope, 'master');
  assert.equal((await server.ask('POST', `${API}/auth/api-keys`, { key: 'master', body: { name: 'x' } })).status, 201);
});

test('a route for any key needs a valid one and no scope', async () => {
  assert.equal((await server.ask('GET', `${API}/auth/me`)).status, 401);
  assert.equal((await server.ask('GET', `${API}/auth/me`, { key: 'reader' })).body.data.keyId, 'key_reader');
});

test('a public route answers without a key and with a wrong one', async () => {
  assert.equal((await server.ask('GET', `${API}/health`)).body.data.caller, 'anonymous');
  assert.equal((await server.ask('GET', `${API}/health`, { key: 'unknown' })).body.data.caller, 'anonymous');
  assert.equal((await server.ask('GET', `${API}/health`, { key: 'reader' })).body.data.caller, 'api_key');
});

test('the key is checked before the body is read', async () => {
  assert.equal((await server.ask('POST', `${API}/users/u1/credit`, { text: '{' })).status, 401);
});

test('X-Marketplace-Id counts for the master key alone', async () => {
  const at = (key: string, id?: string) =>
    server.ask('GET', `${API}/auth/me`, { key, headers: id === undefined ? {} : { 'x-marketplace-id': id } });
  assert.equal((await at('master')).body.data.marketplaceId, 'mkt_default');
  assert.equal((await at('master', 'mkt_abc')).body.data.marketplaceId, 'mkt_abc');
  assert.equal((await at('writer', 'mkt_abc')).body.data.marketplaceId, 'mkt_shop');
  assert.equal((await at('writer', 'rubbish!')).status, 200);
  const refused = await at('master', 'rubbish!');
  assert.equal(refused.status, 400);
  assert.equal(refused.body.error.code, 'VALIDATION_ERROR');
});

test('an unknown path is 404 with or without a key, whatever the body', async () => {
  for (const asking of [{}, { key: 'writer' }, { key: 'unknown' }, { text: '{' }]) {
    const answer = await server.ask('POST', `${API}/nowhere`, asking);
    assert.equal(answer.status, 404);
    assert.equal(answer.body.error.code, 'ROUTE_NOT_FOUND');
    assert.equal(answer.body.error.details.path, `${API}/nowhere`);
  }
  assert.equal((await server.ask('GET', '/nowhere')).status, 404);
});

test('a known path with another method is 405 and names the allowed methods', async () => {
  const answer = await server.ask('DELETE', `${API}/things`, { text: '{' });
  assert.equal(answer.status, 405);
  assert.equal(answer.body.error.code, 'METHOD_NOT_ALLOWED');
  assert.deepEqual(answer.body.error.details.allowedMethods, ['GET', 'HEAD']);
  assert.equal(answer.headers.get('allow'), 'GET, HEAD');
  assert.equal((await server.ask('OPTIONS', `${API}/things`)).status, 405);
  assert.match(
    await server.talk('PROPFIND /api/v1/things HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    /^HTTP\/1\.1 405 /,
  );
});

test('HEAD answers like GET without the body, and a stream has no HEAD', async () => {
  const head = await server.ask('HEAD', `${API}/things`, { key: 'reader' });
  assert.equal(head.status, 200);
  assert.equal(head.text, '');
  assert.ok(Number(head.headers.get('content-length')) > 0);
  assert.equal((await server.ask('HEAD', `${API}/things`)).status, 401);
  assert.equal((await server.ask('HEAD', `${API}/events`, { key: 'reader' })).status, 405);
});
