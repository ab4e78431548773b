// Tokens: which ones are accepted, and which are refused.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import { decodeJwt, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { JWT_SECRET, type KeyServer, openKeyServer } from './key-server.ts';

let server: KeyServer;
before(async () => {
  server = await openKeyServer();
});
after(() => server.close());

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const makeToken = async (body: Record<string, unknown> = {}) => {
  const { id, key } = await server.makeKey(body);
  const { token } = (await server.ask('POST', `/auth/api-keys/${id}/token`, { key })).body.data;
  return { id, key, token: token as string };
};

const forge = (claims: JWTPayload, secret = JWT_SECRET, alg = 'HS256') =>
  new SignJWT(claims).setProtectedHeader({ alg }).sign(bytes(secret));

test('a token says which key, marketplace and scopes it is for, and when it ends', async () => {
  const { id, token } = await makeToken({ marketplaceId: 'mkt_claims' });
  const claims = decodeJwt(token);
  assert.equal(claims.sub, id);
  assert.equal(claims.mkt, 'mkt_claims');
  assert.deepEqual(claims.scopes, ['read', 'write']);
  assert.equal(claims.exp! - claims.iat!, 3_600);
  assert.equal(typeof claims.jti, 'string');
});

test('a token is refused to the second when its hour has passed, also when it was just used', async () => {
  const { token, key } = await makeToken();
  assert.equal(await server.statusOf(token), 200);
  server.advance(3_595_000);
  assert.equal(await server.statusOf(token), 200);
  server.advance(6_000);
  assert.equal(await server.statusOf(token), 401);
  assert.equal(await server.statusOf(key), 200);
});

test('a token whose parts were changed is refused', async () => {
  const { token } = await makeToken({ scopes: ['read'] });
  const [header, payload, signature] = token.split('.') as [string, string, string];
  const wider = Buffer.from(JSON.stringify({ ...decodeJwt(token), scopes: ['*'] })).toString('base64url');
  for (const tampered of [
    `${header}.${wider}.${signature}`,
    `${header}.${payload}.${signature.slice(0, -2)}AA`,
    `${header}.${payload}.`,
    `${header}.${payload}`,
    `${payload}.${header}.${signature}`,
  ]) {
    assert.equal(await server.statusOf(tampered), 401);
  }
  assert.equal(await server.statusOf(token), 200);
});

test('no other algorithm is accepted: none, another length, or a public key used as the secret', async () => {
  const { token } = await makeToken();
  const claims = decodeJwt(token);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const rs256 = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
  const none = new UnsecuredJWT(claims).encode();
  const long = 'x'.repeat(64);
  for (const bad of [
    none,
    `${none}x`,
    rs256,
    await forge(claims, JWT_SECRET.repeat(2), 'HS512'),
    await forge(claims, long),
  ]) {
    assert.equal(await server.statusOf(bad), 401);
  }
  assert.equal(await server.statusOf(await forge(claims)), 200, 'the same claims with our secret are good');
});

test('a token signed with our secret for another purpose, or without what a token needs, is refused', async () => {
  const { token } = await makeToken();
  const claims = decodeJwt(token);
  const without = (name: string) => Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
  const others: JWTPayload[] = [
    { ...claims, aud: 'another-party' },
    { ...claims, iss: 'another-party' },
    { ...claims, mkt: 'mkt_other' },
    { ...claims, scopes: ['admin'] },
    { ...claims, scopes: '*' },
    { ...claims, sub: 'key_01ARZ3NDEKTSV4RRFFQ69G5FAV' },
    { ...claims, sec: 'another-secret' },
    ...['sub', 'exp', 'iat', 'jti', 'aud', 'iss', 'mkt', 'scopes', 'sec'].map(without),
  ];
  for (const other of others) assert.equal(await server.statusOf(await forge(other)), 401, JSON.stringify(other));
});

test('a token never holds more than its key does today', async () => {
  const { token } = await makeToken({ scopes: ['read'] });
  const wider = await forge({ ...decodeJwt(token), scopes: ['*'] });
  assert.deepEqual((await server.ask('GET', '/auth/me', { key: wider })).body.data.scopes, ['read']);
  const wide = await makeToken({ scopes: ['*'] });
  const narrower = await forge({ ...decodeJwt(wide.token), scopes: ['read'] });
  assert.deepEqual((await server.ask('GET', '/auth/me', { key: narrower })).body.data.scopes, ['read']);
});

test('secrets rotate without a gap: the first signs, all of them verify, a removed one ends its tokens', async () => {
  const newer = 'the-newer-secret-0123456789abcdef0123456789';
  const { id, key, token } = await makeToken();
  const both = await openKeyServer({ connection: server.connection, jwtSecrets: [newer, JWT_SECRET] });
  const only = await openKeyServer({ connection: server.connection, jwtSecrets: [newer] });
  try {
    // The other servers have their own clocks.
    const late = server.clock() - both.clock();
    for (const { advance } of [both, only]) advance(late / 1_000);
    const fresh = (await both.ask('POST', `/auth/api-keys/${id}/token`, { key })).body.data.token;
    assert.deepEqual([await both.statusOf(token), await both.statusOf(fresh)], [200, 200]);
    assert.deepEqual([await only.statusOf(token), await only.statusOf(fresh)], [401, 200]);
    assert.equal(await server.statusOf(fresh), 401);
  } finally {
    await both.close();
    await only.close();
  }
});
