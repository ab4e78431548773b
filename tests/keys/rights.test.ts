// No key can extend its own rights, and a revoked right ends at once.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type KeyServer, MASTER, openKeyServer } from './key-server.ts';

let server: KeyServer;
before(async () => {
  server = await openKeyServer({ overlapMs: 3_600_000 });
});
after(() => server.close());

const KEYS = '/auth/api-keys';
const WAYS = [
  ['DELETE', ''],
  ['POST', '/rotate'],
  ['POST', '/token'],
] as const;

const tokenOf = async ({ id, key }: { id: string; key: string }): Promise<string> =>
  (await server.ask('POST', `${KEYS}/${id}/token`, { key })).body.data.token;

test('a key cannot revoke, rotate or make a token of another key, in its own marketplace or another', async () => {
  const writer = await server.makeKey({ scopes: ['write'] });
  const all = await server.makeKey({ scopes: ['*'] });
  const foreign = await server.makeKey({ scopes: ['*'], marketplaceId: 'mkt_foreign' });
  for (const [by, of] of [
    [writer, all],
    [all, writer],
    [foreign, all],
    [all, foreign],
  ] as const) {
    for (const [method, verb] of WAYS) {
      const answer = await server.ask(method, `${KEYS}/${of.id}${verb}`, { key: by.key });
      assert.equal(answer.status, 403, verb);
      assert.equal(answer.body.error.code, 'INSUFFICIENT_SCOPE');
    }
  }
  for (const { key } of [writer, all, foreign]) assert.equal(await server.statusOf(key), 200);
});

test('a token can create no other token, and neither rotate nor revoke its key', async () => {
  const made = await server.makeKey({ scopes: ['*'] });
  const token = await tokenOf(made);
  for (const [method, verb] of WAYS) {
    const answer = await server.ask(method, `${KEYS}/${made.id}${verb}`, { key: token });
    assert.equal(answer.status, 403, verb);
  }
  assert.equal(await server.statusOf(token), 200);
});

test('a secret that was replaced still works in the overlap, but can neither rotate nor revoke the key nor create a token', async () => {
  const { id, key } = await server.makeKey();
  await server.ask('POST', `${KEYS}/${id}/rotate`, { key });
  assert.equal(await server.statusOf(key), 200);
  for (const [method, verb] of WAYS) {
    const answer = await server.ask(method, `${KEYS}/${id}${verb}`, { key });
    assert.equal(answer.status, 403, verb);
    assert.match(answer.body.error.message, /replaced/);
  }
});

test('of many rotations at once by the same secret exactly one succeeds', async () => {
  const { id, key } = await server.makeKey();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => server.ask('POST', `${KEYS}/${id}/rotate`, { key })),
  );
  const won = answers.filter(({ status }) => status === 201);
  assert.equal(won.length, 1);
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201, 403]));
  assert.equal(await server.statusOf(won[0]!.body.data.key), 200);
});

test('the overlap ends to the moment, and a second rotation ends the first secret at once', async () => {
  const { id, key: first } = await server.makeKey();
  const rotate = async () => (await server.ask('POST', `${KEYS}/${id}/rotate`, { key: MASTER })).body.data.key;
  const second = await rotate();
  server.advance(3_590_000);
  assert.deepEqual([await server.statusOf(first), await server.statusOf(second)], [200, 200]);
  server.advance(11_000);
  assert.deepEqual([await server.statusOf(first), await server.statusOf(second)], [401, 200]);
  const third = await rotate();
  const fourth = await rotate();
  assert.deepEqual(
    [await server.statusOf(second), await server.statusOf(third), await server.statusOf(fourth)],
    [401, 200, 200],
  );
});

test('an expired key and its tokens are 401 from that moment on', async () => {
  const expiresAt = new Date(server.clock() / 1_000 + 60_000).toISOString();
  const made = await server.makeKey({ expiresAt });
  const { token, expiresAt: tokenEnds } = (await server.ask('POST', `${KEYS}/${made.id}/token`, { key: made.key })).body
    .data;
  assert.ok(Date.parse(tokenEnds) <= Date.parse(expiresAt));
  assert.deepEqual([await server.statusOf(made.key), await server.statusOf(token)], [200, 200]);
  server.advance(60_001);
  assert.deepEqual([await server.statusOf(made.key), await server.statusOf(token)], [401, 401]);
});

test('revoking takes effect with the answer, for the key and for its tokens', async () => {
  const made = await server.makeKey();
  const token = await tokenOf(made);
  assert.deepEqual([await server.statusOf(made.key), await server.statusOf(token)], [200, 200]);
  await server.ask('DELETE', `${KEYS}/${made.id}`, { key: MASTER });
  assert.deepEqual([await server.statusOf(made.key), await server.statusOf(token)], [401, 401]);
});

test('no request that begins after the revocation was answered gets in, however many requests are in progress', async () => {
  const { id, key } = await server.makeKey();
  let answered = false;
  const late: number[] = [];
  const requestUntilAnswered = async (): Promise<void> => {
    while (!answered) {
      await server.statusOf(key);
    }
    late.push(await server.statusOf(key));
  };
  const requests = Array.from({ length: 8 }, requestUntilAnswered);
  await server.ask('DELETE', `${KEYS}/${id}`, { key: MASTER });
  answered = true;
  await Promise.all(requests);
  assert.deepEqual(new Set(late), new Set([401]));
});

test('a token ends with the secret that created it', async () => {
  const made = await server.makeKey();
  const token = await tokenOf(made);
  const rotated = await server.ask('POST', `${KEYS}/${made.id}/rotate`, { key: made.key });
  const newer = await tokenOf({ id: made.id, key: rotated.body.data.key });
  assert.deepEqual([await server.statusOf(token), await server.statusOf(newer)], [200, 200]);
  await server.ask('POST', `${KEYS}/${made.id}/rotate`, { key: MASTER });
  assert.deepEqual([await server.statusOf(token), await server.statusOf(newer)], [401, 200]);
});

test('a change made by another server is seen within a second without a notification, and at once with one', async () => {
  const other = await openKeyServer({ connection: server.connection });
  try {
    const { id, key } = await server.makeKey();
    assert.equal(await other.statusOf(key), 200);
    const rotated = (await server.ask('POST', `${KEYS}/${id}/rotate`, { key })).body.data.key;
    other.advance(1_100);
    assert.equal(await other.statusOf(rotated), 200);
    await server.ask('DELETE', `${KEYS}/${id}`, { key: MASTER });
    assert.equal(await other.statusOf(rotated), 200);
    other.guard.forget([id]);
    assert.equal(await other.statusOf(rotated), 401);
  } finally {
    await other.close();
  }
});

test('without a notification, a revoked key is refused after five seconds, when its cache entry has expired', async () => {
  const other = await openKeyServer({ connection: server.connection });
  try {
    const { id, key } = await server.makeKey();
    assert.equal(await other.statusOf(key), 200);
    await server.ask('DELETE', `${KEYS}/${id}`, { key: MASTER });
    other.advance(5_001);
    assert.equal(await other.statusOf(key), 401);
  } finally {
    await other.close();
  }
});
