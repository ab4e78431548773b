// How a stream ends: by its client, when its key ends, or when the server stops; and the limit of connections.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MASTER_KEY, startApp } from '../support/app.ts';
import { listen, range, refused } from './listener.ts';
import {
  connectionsLeft,
  KEYS,
  keyOf,
  newDatabase,
  notifiersListening,
  openAll,
  openSite,
  openWriter,
  storedEvents,
} from './stream-fixture.ts';

test('beyond the limit of connections a stream is refused with 503 and Retry-After', async (t) => {
  const { site } = await openAll(t, { connectionsMax: 2 });
  const first = await listen(site);
  await listen(site, { key: 'other' });
  const { status, headers, code, details } = await refused(site, '');
  assert.equal(status, 503);
  assert.equal(code, 'SERVICE_UNAVAILABLE');
  assert.equal(headers.get('retry-after'), String(details.retryAfter));
  first!.hangUp();
  await connectionsLeft(site, 1);
  await listen(site);
});

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

test('beyond the limit of its key or of its marketplace a stream is 429 with the limit, and others are served', async (t) => {
  const own = (keyId: string, marketplaceId: string) => ({ ...keyOf(marketplaceId), keyId });
  const keys = new Map([
    ['a', own('key_a', 'mkt_shop')],
    // A token of the same key.
    ['a-token', { ...own('key_a', 'mkt_shop'), type: 'token' as const }],
    ['b', own('key_b', 'mkt_shop')],
    ['c', own('key_c', 'mkt_shop')],
    ['other', own('key_d', 'mkt_other')],
  ]);
  const { site } = await openAll(t, { keys, connectionsPerKeyMax: 2, connectionsPerMarketplaceMax: 3 });
  const first = await listen(site, { key: 'a' });
  await listen(site, { key: 'a-token' });
  for (const key of ['a', 'a-token']) {
    const { status, headers, code, details } = await refused(site, '', bearer(key));
    assert.deepEqual([status, code, details.limitedBy, details.limit], [429, 'TOO_MANY_STREAMS', 'key', 2]);
    assert.equal(headers.get('retry-after'), String(details.retryAfter));
  }
  await listen(site, { key: 'b' });
  const { status, code, details } = await refused(site, '', bearer('c'));
  assert.deepEqual([status, code, details.limitedBy, details.limit], [429, 'TOO_MANY_STREAMS', 'marketplace', 3]);
  await listen(site, { key: 'other' });
  assert.equal(site.stream.connections, 4, 'a refused stream is not counted');
  first.hangUp();
  await connectionsLeft(site, 3);
  await listen(site, { key: 'c' });
});

test('SSE_CONNECTIONS_PER_KEY_MAX counts a key and its tokens together, and no other key', async (t) => {
  const app = await startApp(t, { env: { SSE_CONNECTIONS_PER_KEY_MAX: '1' } });
  const made = await app.call('POST /auth/api-keys', { key: MASTER_KEY, body: { name: 'a', scopes: ['read'] } });
  const { id, key } = made.body.data;
  const { token } = (await app.call(`POST /auth/api-keys/${id}/token`, { key })).body.data;
  const open = await listen(app, { key });
  const { status, code, details } = await refused(app, '', bearer(token));
  assert.deepEqual([status, code, details.limitedBy, details.limit], [429, 'TOO_MANY_STREAMS', 'key', 1]);
  const other = await listen(app, { key: await app.key(['read']) });
  for (const stream of [open, other]) stream.hangUp();
});

test('a client that disconnects is removed, whether it was live, replaying or not yet served', async (t) => {
  const { site, writer } = await openAll(t);
  const userId = await writer.addUser('mkt_shop');
  await Promise.all(range(1, 150).map(() => writer.credit('mkt_shop', userId)));
  for (let i = 0; i < 5; i++) {
    const live = await listen(site, { key: 'other' });
    const replaying = await listen(site, { query: '?since=2000-01-01T00:00:00Z' });
    const stop = new AbortController();
    const unserved = fetch(`${site.url}/api/v1/events`, {
      headers: { authorization: 'Bearer shop' },
      signal: stop.signal,
    }).catch(() => {});
    setImmediate(() => stop.abort());
    await unserved;
    live.hangUp();
    replaying.hangUp();
  }
  await connectionsLeft(site, 0);
  assert.equal(site.counts.open, 0);
  assert.equal(site.stream.connections, 0);
  assert.equal(site.stream.marketplaces, 0);
});

test('a key that is revoked ends its streams and no others, also in another process', async (t) => {
  const keys = KEYS().set('second', keyOf('mkt_shop'));
  const database = await newDatabase(t);
  const here = await openSite(t, database, { keys, recheckKeysMs: 60_000 });
  const there = await openSite(t, database, { keys, recheckKeysMs: 60_000 });
  const doomed = [await listen(here, { key: 'second' }), await listen(there, { key: 'second' })];
  const staying = await listen(there);
  keys.delete('second');
  await notifiersListening(here, 2);
  here.notifier.notify('holdfast_keys', ['key_mkt_shop']);
  assert.deepEqual(await Promise.all(doomed.map((listener) => listener.ended)), ['ended', 'ended']);
  const writer = openWriter(t, database, { notifier: there.notifier });
  await writer.addUser('mkt_shop');
  await staying.take(1);
});

test('a key that is no longer valid ends its streams at the next check, without a notification', async (t) => {
  const keys = KEYS();
  const { site } = await openAll(t, { keys, recheckKeysMs: 50 });
  const listener = await listen(site);
  keys.delete('shop');
  assert.equal(await listener.ended, 'ended');
});

test('a key that cannot be checked keeps its stream', async (t) => {
  let asked = 0;
  const { site, writer } = await openAll(t, {
    recheckKeysMs: 20,
    stillValid() {
      asked++;
      throw new Error('the database is unreachable');
    },
  });
  const listener = await listen(site);
  const userId = await writer.addUser('mkt_shop');
  while (asked < 5) await writer.credit('mkt_shop', userId);
  await writer.credit('mkt_shop', userId);
  const stored = await storedEvents(site.pool, 'mkt_shop');
  await listener.take(stored.length);
});

test('a server that stops ends its streams with a whole answer and does not wait for their clients', async (t) => {
  const { site, writer } = await openAll(t);
  const listener = await listen(site);
  await writer.addUser('mkt_shop');
  await listener.take(1);
  const started = performance.now();
  await site.close();
  assert.equal(await listener.ended, 'ended');
  assert.ok(performance.now() - started < 1_500, 'it did not wait for the grace period');
});
