// The stream over HTTP: the form of messages and pings, the headers, which keys may listen, and what is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { connectRaw, listen, refused } from './listener.ts';
import { connectionsLeft, openAll, storedEvents } from './stream-fixture.ts';

test('a message carries occurredAt as id, the type as event, and the envelope as data', async (t) => {
  const { site, writer } = await openAll(t);
  const listener = await listen(site);
  const userId = await writer.addUser('mkt_shop');
  const [message] = await listener.take(1);
  const [stored] = await storedEvents(site.pool, 'mkt_shop');
  assert.deepEqual(message, { id: stored!.occurredAt, event: 'user.created', data: JSON.parse(stored!.envelope) });
  assert.match(message!.id!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  assert.match(message!.data.eventId, /^evt_/);
  assert.equal(message!.data.aggregateId, userId);
  assert.equal(message!.data.metadata.marketplaceId, 'mkt_shop');
});

test('the stream begins at once with a comment and headers that keep proxies from holding it back', async (t) => {
  const { site } = await openAll(t);
  const { response, comments } = await listen(site);
  assert.equal(comments.length, 1);
  assert.equal(response.headers['content-type'], 'text/event-stream');
  assert.equal(response.headers['cache-control'], 'no-store');
  assert.equal(response.headers['x-accel-buffering'], 'no');
  assert.ok(response.headers['x-ratelimit-limit']);
  assert.ok(response.headers['x-request-id']);
});

test('any valid key may listen, even one without scopes; no key may not', async (t) => {
  const { site } = await openAll(t);
  await listen(site, { key: 'none' });
  const response = await fetch(`${site.url}/api/v1/events`);
  assert.equal(response.status, 401);
});

test('a ping comes at the interval, has no id and no eventId, and does not move the cursor', async (t) => {
  const { site, writer } = await openAll(t, { pingMs: 100 });
  const listener = await listen(site);
  await writer.addUser('mkt_shop');
  await listener.take(1);
  const id = listener.lastId();
  const count = listener.pings.length;
  await listener.until(() => listener.pings.length >= count + 3);
  const [first, second] = listener.pings.slice(-2);
  assert.deepEqual(Object.keys(first!), ['event', 'data']);
  assert.deepEqual(Object.keys(first!.data), ['ping', 'timestamp']);
  assert.equal(first!.data.ping, true);
  const apart = Date.parse(second!.data.timestamp) - Date.parse(first!.data.timestamp);
  assert.ok(apart >= 90 && apart < 1_000, `${apart} ms apart`);
  assert.equal(listener.lastId(), id);
});

test('a wildcard, an unknown type and an unknown resource are 400 and the answer names the known ones', async (t) => {
  const { site } = await openAll(t);
  for (const query of ['?types=order.*', '?types=*', '?types=order.created&types=order.exploded', '?types=']) {
    const { status, code, sentence } = await refused(site, query);
    assert.equal(status, 400, query);
    assert.equal(code, 'VALIDATION_ERROR');
    assert.match(sentence, /must be one of user\.created, .*withdrawal\.canceled/);
  }
  const { status, sentence } = await refused(site, '?resources=order');
  assert.equal(status, 400);
  assert.match(sentence, /must be one of User, Wallet, Balance, .*Dispute/);
});

test('a cursor that is not a time is 400', async (t) => {
  const { site } = await openAll(t);
  for (const since of ['yesterday', '', '2026-02-30T00:00:00Z', '1763000000']) {
    const { status, code } = await refused(site, `?since=${since}`);
    assert.equal(status, 400, since);
    assert.equal(code, 'VALIDATION_ERROR');
  }
  for (const lastEventId of ['evt_01', '2026-13-01T00:00:00Z', '42']) {
    const { status, sentence } = await refused(site, '?since=2026-01-01T00:00:00Z', {
      'last-event-id': lastEventId,
    });
    assert.equal(status, 400, lastEventId);
    assert.match(sentence, /^Last-Event-ID must be/);
  }
});

test('a client without chunked encoding, such as an old proxy, gets the same messages without chunks', async (t) => {
  const { site, writer } = await openAll(t);
  const socket = await connectRaw(site, 'GET /api/v1/events HTTP/1.0\nAuthorization: Bearer shop\n\n');
  let text = '';
  socket.setEncoding('utf8');
  const arrived = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  socket.on('data', (chunk) => {
    text += chunk;
    if (text.includes('\n\n')) opened.resolve();
    if (/data: .*\n\n/.test(text)) arrived.resolve();
  });
  socket.resume();
  await opened.promise;
  await writer.addUser('mkt_shop');
  await arrived.promise;
  socket.destroy();
  const [stored] = await storedEvents(site.pool, 'mkt_shop');
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  assert.doesNotMatch(text, /transfer-encoding/i);
  assert.match(body, /^: .*\nretry: \d+\nid: .*\n\nid: /);
  assert.ok(body.endsWith(`data: ${stored!.envelope}\n\n`));
});

test('a second stream requested on the same connection is removed when the connection closes', async (t) => {
  const { site } = await openAll(t);
  const head = 'GET /api/v1/events HTTP/1.1\nHost: shop\nAuthorization: Bearer shop\n\n';
  const socket = await connectRaw(site, head + head);
  await listen(site);
  while (site.counts.open !== 2 || site.stream.connections !== 2) await nextTurn();
  socket.destroy();
  await connectionsLeft(site, 1);
  assert.equal(site.counts.open, 1);
});
