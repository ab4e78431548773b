// POST /auth/api-keys/{id}/token and GET /auth/me, by status.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type KeyServer, MASTER, openKeyServer } from '../keys/key-server.ts';

let door: KeyServer;
before(async () => {
  door = await openKeyServer();
});
after(() => door.close());

const KEYS = '/auth/api-keys';

test('201 makes a token that acts as its key for an hour', async () => {
  const { id, key } = await door.makeKey({ name: 'Worker', rateLimit: 77 });
  for (const bearer of [key, MASTER]) {
    const answer = await door.ask('POST', `${KEYS}/${id}/token`, { key: bearer });
    assert.equal(answer.status, 201);
    const { token, tokenType, expiresAt, scopes } = answer.body.data;
    assert.equal(tokenType, 'Bearer');
    assert.deepEqual(scopes, ['read', 'write']);
    const minutes = (Date.parse(expiresAt) - door.clock() / 1_000) / 60_000;
    assert.ok(minutes > 59.9 && minutes <= 60);
    const me = await door.ask('GET', '/auth/me', { key: token });
    assert.equal(me.headers.get('x-ratelimit-limit'), '77');
    assert.deepEqual(me.body.data, {
      apiKeyId: id,
      apiKeyName: 'Worker',
      scopes: ['read', 'write'],
      marketplaceId: 'mkt_default',
      type: 'token',
    });
  }
});

test('a token takes fewer scopes when asked, and 403 when asked for one its key lacks', async () => {
  const { id, key } = await door.makeKey();
  const narrow = await door.ask('POST', `${KEYS}/${id}/token`, { key, body: { scopes: ['read'] } });
  assert.deepEqual(narrow.body.data.scopes, ['read']);
  const me = await door.ask('GET', '/auth/me', { key: narrow.body.data.token });
  assert.deepEqual(me.body.data.scopes, ['read']);
  for (const scopes of [['support'], ['*'], ['read', 'write', 'support']]) {
    for (const bearer of [key, MASTER]) {
      const wider = await door.ask('POST', `${KEYS}/${id}/token`, { key: bearer, body: { scopes } });
      assert.equal(wider.status, 403);
      assert.equal(wider.body.error.code, 'INSUFFICIENT_SCOPE');
    }
  }
  assert.equal((await door.ask('POST', `${KEYS}/${id}/token`, { key, body: { scopes: [] } })).status, 400);
  assert.equal((await door.ask('POST', `${KEYS}/${id}/token`, { key, body: { ttl: 1e9 } })).status, 400);
});

test('GET /auth/me describes the master key and an API key', async () => {
  const { id, key } = await door.makeKey({ name: 'Reader', scopes: ['read'], marketplaceId: 'mkt_me' });
  // The header counts for the master key only.
  const headers = { 'x-marketplace-id': 'mkt_chosen' };
  assert.deepEqual((await door.ask('GET', '/auth/me', { key, headers })).body.data, {
    apiKeyId: id,
    apiKeyName: 'Reader',
    scopes: ['read'],
    marketplaceId: 'mkt_me',
    type: 'api_key',
  });
  assert.deepEqual((await door.ask('GET', '/auth/me', { key: MASTER, headers })).body.data, {
    apiKeyId: 'master',
    apiKeyName: 'master',
    scopes: ['*'],
    marketplaceId: 'mkt_chosen',
    type: 'master',
  });
});
