// Which events a reader gets: those of its filters, and never those of another marketplace.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listen, positionsOf } from './listener.ts';
import { insertEvents, openAll, openWriter } from './stream-fixture.ts';

test('the filters by type and by resource are exact, in the replay and live, and both must match', async (t) => {
  const { site, writer } = await openAll(t);
  const userId = await writer.addUser('mkt_shop');
  await writer.credit('mkt_shop', userId);
  const since = 'since=2000-01-01T00:00:00Z';
  const users = await listen(site, { query: `?types=user.created&${since}` });
  const balances = await listen(site, { query: `?resources=Balance&${since}` });
  const both = await listen(site, { query: `?types=user.created&types=balance.credited&${since}` });
  const neither = await listen(site, { query: `?types=user.created&resources=Balance&${since}` });
  await writer.addUser('mkt_shop');
  await writer.credit('mkt_shop', userId);
  assert.deepEqual(positionsOf(await both.take(4)), [1, 2, 3, 4]);
  assert.deepEqual(positionsOf(await users.take(2)), [1, 3]);
  assert.deepEqual(positionsOf(await balances.take(2)), [2, 4]);
  assert.deepEqual(neither.messages, []);
});

test('a rare type is found behind a long history of others', async (t) => {
  const { database, site, writer } = await openAll(t);
  await writer.addUser('mkt_shop');
  // So many that the search needs more than one statement.
  await insertEvents(site, { count: 20_500 });
  // A new writer with an empty cache, because the first one does not know the inserted events.
  await openWriter(t, database, { notifier: site.notifier }).addUser('mkt_shop', 'late');
  const listener = await listen(site, { query: '?types=user.created&since=2000-01-01T00:00:00Z' });
  assert.deepEqual(positionsOf(await listener.take(2)), [1, 20_502]);
});

test('a marketplace never sees the events of another, neither live nor in a replay', async (t) => {
  const { site, writer } = await openAll(t);
  const mine = await writer.addUser('mkt_shop');
  const theirs = await writer.addUser('mkt_other');
  const since = '?since=2000-01-01T00:00:00Z';
  const listeners = [
    await listen(site, { query: since }),
    await listen(site, { key: 'other', query: since }),
    await listen(site, { key: 'other', query: `${since}&resources=Balance` }),
  ];
  for (let i = 0; i < 20; i++) {
    await Promise.all([writer.credit('mkt_shop', mine), writer.credit('mkt_other', theirs)]);
  }
  await Promise.all([listeners[0]!.take(21), listeners[1]!.take(21), listeners[2]!.take(20)]);
  const seen = listeners.map(({ messages }) => new Set(messages.map((message) => message.data.metadata.marketplaceId)));
  assert.deepEqual(seen, [new Set(['mkt_shop']), new Set(['mkt_other']), new Set(['mkt_other'])]);
});
