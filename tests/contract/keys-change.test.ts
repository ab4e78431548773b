// Revoking and rotating a key, by status.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type KeyServer, MASTER, openKeyServer } from '../keys/key-server.ts';

let door: KeyServer;
before(async () => {
  door = await openKeyServer();
});
after(() => door.close());

const KEYS = '/auth/api-keys';
const unknownId = 'key_01ARZ3NDEKTSV4RRFFQ69G5FAV';

test('200 revokes a key for good, and a second time is the same answer', async () => {
  const { id, key } = await door.makeKey();
  const first = await door.ask('DELETE', `${KEYS}/${id}`, { key: MASTER });
  assert.equal(first.status, 200);
  assert.equal(first.body.data.status, 'REVOKED');
  assert.equal(await door.statusOf(key), 401);
  const again = await door.ask('DELETE', `${KEYS}/${id}`, { key: MASTER });
  assert.equal(again.status, 200);
  assert.deepEqual(again.body.data, first.body.data);
});

test('a key may revoke itself', async () => {
  const { id, key } = await door.makeKey({ scopes: ['read'] });
  assert.equal((await door.ask('DELETE', `${KEYS}/${id}`, { key })).status, 200);
  assert.equal((await door.ask('DELETE', `${KEYS}/${id}`, { key })).status, 401);
});

test('201 rotates a key: the new one works, and the old one until the time the answer names', async () => {
  const { id, key } = await door.makeKey();
  const answer = await door.ask('POST', `${KEYS}/${id}/rotate`, { key });
  assert.equal(answer.status, 201);
  const { data } = answer.body;
  assert.equal(data.id, id);
  assert.equal(data.api_key, data.key);
  assert.notEqual(data.key, key);
  const hours = (Date.parse(data.previousKeyExpiresAt) - door.clock() / 1_000) / 3_600_000;
  assert.ok(hours > 23.9 && hours < 24.1);
  assert.deepEqual([await door.statusOf(key), await door.statusOf(data.key)], [200, 200]);
});

test('a lost answer to a rotation can be asked for again with the key that was replaced', async () => {
  const { id, key } = await door.makeKey();
  const headers = { 'idempotency-key': randomUUID() };
  const first = await door.ask('POST', `${KEYS}/${id}/rotate`, { key, headers });
  const again = await door.ask('POST', `${KEYS}/${id}/rotate`, { key, headers });
  assert.equal(again.status, 201);
  assert.equal(again.text, first.text);
});

test('a rotation that another server answers again takes effect there before the answer', async (t) => {
  const other = await openKeyServer({ connection: door.connection });
  t.after(() => other.close());
  const { id, key } = await door.makeKey();
  // The other server has the key cached, and nothing notifies it of the rotation.
  assert.equal(await other.statusOf(key), 200);
  const headers = { 'idempotency-key': randomUUID() };
  const first = await door.ask('POST', `${KEYS}/${id}/rotate`, { key, headers });
  const again = await other.ask('POST', `${KEYS}/${id}/rotate`, { key, headers });
  assert.equal(again.text, first.text);
  assert.equal(await other.statusOf(again.body.data.key), 200);
});

test('409 INVALID_STATE to rotate, or make a token of, a revoked or an expired key', async () => {
  const revoked = await door.makeKey();
  await door.ask('DELETE', `${KEYS}/${revoked.id}`, { key: MASTER });
  const expired = await door.makeKey({ expiresAt: new Date(door.clock() / 1_000 + 1_000).toISOString() });
  door.advance(1_500);
  for (const [id, state] of [
    [revoked.id, 'REVOKED'],
    [expired.id, 'EXPIRED'],
  ]) {
    for (const verb of ['rotate', 'token']) {
      const answer = await door.ask('POST', `${KEYS}/${id}/${verb}`, { key: MASTER });
      assert.equal(answer.status, 409, verb);
      assert.equal(answer.body.error.code, 'INVALID_STATE');
      assert.equal(answer.body.error.details.currentState, state);
    }
  }
});

test('200 revokes an expired key', async () => {
  const { id } = await door.makeKey({ expiresAt: new Date(door.clock() / 1_000 + 1_000).toISOString() });
  door.advance(1_500);
  const answer = await door.ask('DELETE', `${KEYS}/${id}`, { key: MASTER });
  assert.deepEqual([answer.status, answer.body.data.status], [200, 'REVOKED']);
});

test('404 API_KEY_NOT_FOUND for unknown ids and for keys of another marketplace', async () => {
  const elsewhere = await door.makeKey({ marketplaceId: 'mkt_elsewhere' });
  const ways = [
    ['DELETE', ''],
    ['POST', '/rotate'],
    ['POST', '/token'],
  ] as const;
  for (const id of [unknownId, 'nonsense', elsewhere.id]) {
    for (const [method, verb] of ways) {
      const answer = await door.ask(method, `${KEYS}/${id}${verb}`, { key: MASTER });
      assert.equal(answer.status, 404, `${method} ${id}${verb}`);
      assert.equal(answer.body.error.code, 'API_KEY_NOT_FOUND');
    }
  }
  const headers = { 'x-marketplace-id': 'mkt_elsewhere' };
  assert.equal((await door.ask('DELETE', `${KEYS}/${elsewhere.id}`, { key: MASTER, headers })).status, 200);
});
