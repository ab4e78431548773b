// The notifications between processes, and the trimming of the history.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNotifier, payloadsOf } from '../../server/src/postgres/notifier.ts';
import { trimEvents } from '../../server/src/stream/event-queries.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { range } from './listener.ts';
import { newDatabase, notifiersListening, openAll, openSite, storedEvents } from './stream-fixture.ts';

test('payloads stay below the limit of PostgreSQL and hold every id once', () => {
  const ids = range(1, 2_000).map((n) => `mkt_${String(n).padStart(40, '0')}`);
  const payloads = payloadsOf(ids);
  assert.ok(payloads.length > 1);
  for (const payload of payloads) assert.ok(Buffer.byteLength(payload) < 8_000);
  assert.deepEqual(
    payloads.flatMap((payload) => payload.split(',')),
    ids,
  );
  assert.deepEqual(payloadsOf([]), []);
});

test('a notification reaches the listeners of its own process at once and those of other processes soon, each once', async (t) => {
  const database = await newDatabase(t);
  const site = await openSite(t, database);
  const open = () => {
    const notifier = createNotifier({ connection: database.connection, onTrouble() {} });
    afterwards(t, () => notifier.close());
    return notifier;
  };
  const here = open();
  const there = open();
  await notifiersListening(site, 3);
  const heardHere: string[] = [];
  const heardThere: string[] = [];
  const last = Promise.withResolvers<void>();
  here.on('holdfast_keys', (ids) => void heardHere.push(...ids));
  there.on('holdfast_keys', (ids) => {
    heardThere.push(...ids);
    if (ids.includes('key_1000')) last.resolve();
  });
  for (const n of range(1, 1_000)) here.notify('holdfast_keys', [`key_${n}`]);
  assert.equal(heardHere.length, 1_000);
  await last.promise;
  assert.deepEqual(heardThere.sort(), heardHere.sort());
});

test('many calls become few notifications', async (t) => {
  const database = await newDatabase(t);
  const site = await openSite(t, database);
  const there = createNotifier({ connection: database.connection, onTrouble() {} });
  afterwards(t, () => there.close());
  await notifiersListening(site, 2);
  let calls = 0;
  const last = Promise.withResolvers<void>();
  there.on('holdfast_events', (ids) => {
    calls++;
    if (ids.includes('mkt_last')) last.resolve();
  });
  for (let i = 0; i < 5_000; i++) site.notifier.notify('holdfast_events', ['mkt_shop']);
  site.notifier.notify('holdfast_events', ['mkt_last']);
  await last.promise;
  assert.ok(calls <= 3, `${calls} calls`);
});

test('trimming removes events older than a time, batch by batch, and no other events', async (t) => {
  const start = 1_800_000_000_000_000;
  let now = start;
  const { site, writer } = await openAll(t, { clock: () => now });
  for (const marketplaceId of ['mkt_shop', 'mkt_other']) {
    now = start;
    const userId = await writer.addUser(marketplaceId);
    for (let i = 1; i < 10; i++) {
      now = start + i * 1_000_000;
      await writer.credit(marketplaceId, userId);
    }
  }
  assert.equal(await trimEvents(site.pool, { olderThan: '2027-01-15T08:00:07Z', batch: 3 }), 14);
  for (const marketplaceId of ['mkt_shop', 'mkt_other']) {
    const left = await storedEvents(site.pool, marketplaceId);
    assert.deepEqual(
      left.map((event) => event.position),
      [8, 9, 10],
    );
  }
});
