// GET /auth/api-keys, by status. Limits and cursors: lists.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type KeyServer, MASTER, openKeyServer } from '../keys/key-server.ts';

let door: KeyServer;
before(async () => {
  door = await openKeyServer();
});
after(() => door.close());

const KEYS = '/auth/api-keys';
const list = async (key: string, query = '') => (await door.ask('GET', `${KEYS}${query}`, { key })).body.data;

test('200 lists the keys of the own marketplace, newest first, page by page', async () => {
  const ids: string[] = [];
  let reader = '';
  for (let i = 0; i < 5; i++) {
    const made = await door.makeKey({ name: `Key ${i}`, marketplaceId: 'mkt_list', scopes: ['read'] });
    ids.unshift(made.id);
    reader = made.key;
  }
  const first = await list(reader, '?limit=2');
  const second = await list(reader, `?limit=2&cursor=${first.nextCursor}`);
  const third = await list(reader, `?limit=2&cursor=${second.nextCursor}`);
  assert.deepEqual(
    [first, second, third].flatMap((page) => page.data.map((row: { id: string }) => row.id)),
    ids,
  );
  assert.deepEqual([first.hasMore, second.hasMore, third.hasMore], [true, true, false]);
  assert.equal(third.nextCursor, null);
  assert.deepEqual(Object.keys(first.data[0]).sort(), [
    'createdAt',
    'expiresAt',
    'id',
    'lastUsedAt',
    'marketplaceId',
    'name',
    'rateLimit',
    'revokedAt',
    'scopes',
    'status',
  ]);
  const named = await door.ask('GET', KEYS, { key: MASTER, headers: { 'x-marketplace-id': 'mkt_list' } });
  assert.equal(named.body.data.data.length, 5);
});

test('the list shows ACTIVE, EXPIRED and REVOKED and filters by them', async () => {
  const made = (body: object) => door.makeKey({ marketplaceId: 'mkt_states', scopes: ['read'], ...body });
  const active = await made({});
  const expired = await made({ expiresAt: new Date(Date.now() + 1_000).toISOString() });
  const revoked = await made({});
  await door.ask('DELETE', `${KEYS}/${revoked.id}`, { key: revoked.key });
  door.advance(1_500);
  const states = (await list(active.key)).data.map((row: { id: string; status: string }) => [row.id, row.status]);
  assert.deepEqual(states, [
    [revoked.id, 'REVOKED'],
    [expired.id, 'EXPIRED'],
    [active.id, 'ACTIVE'],
  ]);
  for (const [id, status] of states) {
    assert.deepEqual(
      (await list(active.key, `?status=${status}`)).data.map((row: { id: string }) => row.id),
      [id],
    );
  }
});

test('400 on a bad filter of the list', async () => {
  for (const query of ['status=GONE', 'createdAfter=x']) {
    assert.equal((await door.ask('GET', `${KEYS}?${query}`, { key: MASTER })).status, 400, query);
  }
});
