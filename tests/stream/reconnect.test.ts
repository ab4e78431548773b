// Whatever fails, a client that reconnects with its last id has lost no event. reconnect.long.test.ts has more clients and
// events.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectRaw, listen, positionsOf, range } from './listener.ts';
import { assertNothingLost } from './reconnecting.ts';
import {
  insertEvents,
  newDatabase,
  notifiersListening,
  openAll,
  openSite,
  openWriter,
  storedEvents,
} from './stream-fixture.ts';

test('clients that reconnect at random moments to two servers under load see every event once and in order', async (t) => {
  await assertNothingLost(t, { clients: 4, events: 200, stayMax: 20 });
});

const HEAD = 'GET /api/v1/events HTTP/1.1\nHost: shop\nAuthorization: Bearer shop\n';
const idsIn = (text: string): string[] =>
  [...text.matchAll(/^id: (.*)\nevent: .*\ndata: .*\n\n/gm)].map((match) => match[1]!);

test('a reader that does not read is cut off at the bound, others are not, and it resumes without a loss', async (t) => {
  const { site, writer } = await openAll(t, { bufferMax: 50 });
  await writer.addUser('mkt_shop');
  const slow = await connectRaw(site, `${HEAD}\n`);
  const quick = await listen(site);
  while (site.counts.open < 2) await site.pool.query('select 1');
  let written = 1;
  while (site.counts.cutOff === 0) {
    await insertEvents(site, { count: 200, filler: 4_000 });
    written += 200;
    site.stream.refresh(['mkt_shop']);
    await quick.take(written - 1);
  }
  assert.equal(site.counts.open, 1);
  assert.deepEqual(positionsOf(await quick.take(written - 1)), range(2, written));

  let text = '';
  slow.on('data', (chunk) => {
    text += chunk;
  });
  await new Promise((resolve) => slow.on('close', resolve).resume());
  // What the system had taken still arrives; the chunk lines of the transfer are not part of the messages.
  const seen = idsIn(text.replace(/\r\n[0-9a-f]*\r\n/g, ''));
  const stored = await storedEvents(site.pool, 'mkt_shop');
  const ids = stored.map((event) => event.occurredAt);
  assert.deepEqual(seen, ids.slice(1, 1 + seen.length));
  const resumed = await listen(site, { lastEventId: seen.at(-1) ?? ids[0]! });
  const rest = await resumed.take(written - 1 - seen.length);
  assert.deepEqual([...seen, ...rest.map((message) => message.id)], ids.slice(1));
});

test('a replay that the client does not read holds one page in memory and is cut off after the deadline', async (t) => {
  const { site, writer } = await openAll(t, { pingMs: 300 });
  await writer.addUser('mkt_shop');
  await insertEvents(site, { count: 1_500, filler: 14_000 });
  const socket = await connectRaw(site, `${HEAD}Last-Event-ID: 2000-01-01T00:00:00Z\n\n`);
  while (site.counts.cutOff === 0) await site.pool.query('select pg_sleep(0.02)');
  assert.ok(site.counts.sent < 1_200, `${site.counts.sent} of 1,501 events were written`);
  assert.equal(site.counts.open, 0);
  socket.destroy();

  const reader = await listen(site, { lastEventId: '2000-01-01T00:00:00Z' });
  assert.deepEqual(positionsOf(await reader.take(1_501)), range(1, 1_501));
});

test('a lost notification only delays: the next poll finds the events', async (t) => {
  const database = await newDatabase(t);
  const site = await openSite(t, database, { pollEveryMs: 100 });
  const silent = openWriter(t, database, { notifier: null });
  const listener = await listen(site);
  const userId = await silent.addUser('mkt_shop');
  await silent.credit('mkt_shop', userId);
  assert.deepEqual(positionsOf(await listener.take(2)), [1, 2]);
});

test('a lost notifier connection is made again, missed events are found, and notifications arrive as before', async (t) => {
  const database = await newDatabase(t);
  const site = await openSite(t, database, { pollEveryMs: 60_000 });
  const elsewhere = await openSite(t, database, { pollEveryMs: 60_000 });
  const writer = openWriter(t, database, { notifier: elsewhere.notifier });
  const listener = await listen(site);
  await notifiersListening(site, 2);
  const userId = await writer.addUser('mkt_shop');
  await listener.take(1);
  for (let round = 0; round < 3; round++) {
    const pids = await notifiersListening(site, 2);
    await site.pool.query('select pg_terminate_backend(pid) from unnest($1::integer[]) pid', [pids]);
    await writer.credit('mkt_shop', userId);
    await listener.take(2 + round);
  }
  assert.deepEqual(positionsOf(listener.messages), range(1, 4));
});

test('events that cannot be read for a while arrive when they can', async (t) => {
  const { site, writer } = await openAll(t, { pollEveryMs: 50 });
  const listener = await listen(site);
  const userId = await writer.addUser('mkt_shop');
  await listener.take(1);
  await site.pool.query('alter table events rename to events_away');
  const failing = writer.credit('mkt_shop', userId).catch(() => 'refused');
  site.stream.refreshAll();
  assert.equal(await failing, 'refused');
  await site.pool.query('alter table events_away rename to events');
  await writer.credit('mkt_shop', userId);
  assert.deepEqual(positionsOf(await listener.take(2)), [1, 2]);
});
