// Where a stream begins: live, or after a cursor; and the change from replay to live events.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listen, positionsOf, range } from './listener.ts';
import { openAll, storedEvents } from './stream-fixture.ts';

test('without a cursor only events after the beginning of the stream are sent', async (t) => {
  const { site, writer } = await openAll(t);
  const userId = await writer.addUser('mkt_shop');
  const early = await listen(site);
  for (let i = 0; i < 10; i++) {
    await writer.credit('mkt_shop', userId);
    const listener = await listen(site);
    await writer.credit('mkt_shop', userId);
    const [first] = await listener.take(1);
    assert.deepEqual(positionsOf([first!]), [i * 2 + 3]);
    listener.hangUp();
  }
  assert.deepEqual(positionsOf(await early.take(20)), range(2, 21));
});

test('a cursor is exclusive, also between events one microsecond apart', async (t) => {
  // With a stopped clock every event is one microsecond after the previous event.
  const { site, writer } = await openAll(t, { clock: () => 1_800_000_000_000_000 });
  const userId = await writer.addUser('mkt_shop');
  for (let i = 0; i < 9; i++) await writer.credit('mkt_shop', userId);
  const stored = await storedEvents(site.pool, 'mkt_shop');
  assert.equal(stored[3]!.occurredAt, '2027-01-15T08:00:00.000003Z');
  const listener = await listen(site, { lastEventId: stored[3]!.occurredAt });
  assert.deepEqual(positionsOf(await listener.take(6)), range(5, 10));
  const bySince = await listen(site, { query: '?since=2027-01-15T09:00:00.0000070%2B01:00' });
  assert.deepEqual(positionsOf(await bySince.take(2)), [9, 10]);
});

test('a replay of several pages continues with live events without a gap or a repeat', async (t) => {
  const { site, writer } = await openAll(t);
  const userId = await writer.addUser('mkt_shop');
  await Promise.all(range(1, 250).map(() => writer.credit('mkt_shop', userId)));
  const opening = listen(site, { query: '?since=2000-01-01T00:00:00Z' });
  await Promise.all(range(1, 250).map(() => writer.credit('mkt_shop', userId)));
  const listener = await opening;
  assert.deepEqual(positionsOf(await listener.take(501)), range(1, 501));
});

test('Last-Event-ID takes precedence over since', async (t) => {
  const { site, writer } = await openAll(t);
  const userId = await writer.addUser('mkt_shop');
  for (let i = 0; i < 4; i++) await writer.credit('mkt_shop', userId);
  const stored = await storedEvents(site.pool, 'mkt_shop');
  const listener = await listen(site, { query: '?since=2000-01-01T00:00:00Z', lastEventId: stored[2]!.occurredAt });
  assert.deepEqual(positionsOf(await listener.take(2)), [4, 5]);
});

test('a cursor that is older than all stored events replays all stored events', async (t) => {
  const { site, writer } = await openAll(t);
  const userId = await writer.addUser('mkt_shop');
  for (let i = 0; i < 9; i++) await writer.credit('mkt_shop', userId);
  await site.pool.query("delete from events where marketplace_id = 'mkt_shop' and position <= 6");
  for (const since of ['2000-01-01T00:00:00Z', '0001-01-01T00:00:00%2B14:00']) {
    const listener = await listen(site, { query: `?since=${since}` });
    assert.deepEqual(positionsOf(await listener.take(4)), range(7, 10));
  }
});

test('a cursor in the future replays nothing and continues with live events', async (t) => {
  const { site, writer } = await openAll(t);
  const userId = await writer.addUser('mkt_shop');
  const listener = await listen(site, { query: '?since=9999-12-31T23:59:59-14:00' });
  await writer.credit('mkt_shop', userId);
  assert.deepEqual(positionsOf(await listener.take(1)), [2]);
});

/** The id in the first message, which has no data, or undefined. Closes the connection. */
const openingOf = async (site: { url: string }, headers: Record<string, string> = {}): Promise<string | undefined> => {
  const { body } = await fetch(`${site.url}/api/v1/events`, { headers: { authorization: 'Bearer shop', ...headers } });
  let text = '';
  for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.includes('\n\n')) break;
  }
  const [opening = ''] = text.split('\n\n');
  assert.doesNotMatch(opening, /^data:/m);
  return /^id: (.*)$/m.exec(opening)?.[1];
};

test('a client without a cursor gets one, and resuming with it loses no event', async (t) => {
  const { site, writer } = await openAll(t);
  const userId = await writer.addUser('mkt_shop');
  await writer.credit('mkt_shop', userId);
  const stored = await storedEvents(site.pool, 'mkt_shop');
  const cursor = await openingOf(site);
  assert.equal(cursor, stored[1]!.occurredAt);
  await writer.credit('mkt_shop', userId);
  const resumed = await listen(site, { lastEventId: cursor! });
  assert.deepEqual(positionsOf(await resumed.take(1)), [3]);
  assert.equal(await openingOf(site, { 'last-event-id': cursor! }), undefined);
});

test('the cursor of a marketplace without events replays the first event', async (t) => {
  const { site, writer } = await openAll(t);
  const cursor = await openingOf(site);
  assert.equal(cursor, '1970-01-01T00:00:00.000000Z');
  await writer.addUser('mkt_shop');
  const resumed = await listen(site, { lastEventId: cursor! });
  assert.deepEqual(positionsOf(await resumed.take(1)), [1]);
});
