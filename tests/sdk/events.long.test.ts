// The stream as a loop: every event once and in order, also after connection failures.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HoldfastEvent, StreamState } from '@holdfast/sdk';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import { aUser, type Fixture, failureOf, openFixture } from './fixture.ts';
import { passedOf } from './line.ts';

const START = new Date(0);

/** Reads in the background until the test stops it. */
const follow = (fixture: Fixture, query: Parameters<Fixture['shaky']['events']>[0] = {}) => {
  const events: HoldfastEvent[] = [];
  const states: StreamState[] = [];
  const enough = new AbortController();
  const stream = fixture.shaky.events({ ...query, signal: enough.signal, onState: (state) => states.push(state) });
  const done = (async () => {
    for await (const event of stream) events.push(event);
  })();
  const stop = async () => {
    enough.abort();
    await done;
  };
  // A loop that does not end would keep the process of a failed test running.
  afterwards(fixture.t, () => enough.abort());
  const isLive = () => states.at(-1)?.state === 'live';
  return {
    events,
    states,
    stream,
    live: () => until(isLive, 'the stream is live'),
    took: (count: number) => until(() => events.length >= count, `${count} events came`),
    stop,
  };
};

const amounts = (events: readonly HoldfastEvent[]): string[] =>
  events.flatMap((event) => (event.eventType === 'balance.credited' ? [event.payload.amount] : []));

const credits = async (fixture: Fixture, userId: string, ...wanted: string[]): Promise<void> => {
  for (const amount of wanted) await fixture.client.balances.credit(userId, { amount });
};

test('past events are replayed and live events follow, each once and in order', async (t) => {
  const fixture = await openFixture(t);
  const id = await aUser(fixture.client);
  await credits(fixture, id, '1.00', '2.00');
  const reader = follow(fixture, { since: START, resources: ['Balance'] });
  await reader.took(2);
  await credits(fixture, id, '3.00');
  await reader.took(3);
  assert.deepEqual(amounts(reader.events), ['1.00', '2.00', '3.00']);
  await reader.stop();
  assert.equal(reader.stream.cursor, reader.events[2]!.occurredAt);
});

test('after a broken connection the stream resumes after the last event, without loss or repeat', async (t) => {
  const fixture = await openFixture(t);
  const id = await aUser(fixture.client);
  const reader = follow(fixture, { since: START, types: ['balance.credited'] });
  await reader.live();
  const wanted: string[] = [];
  for (let round = 1; round <= 4; round++) {
    wanted.push(`${round}.00`, `${round}.50`);
    await credits(fixture, id, `${round}.00`);
    await reader.took(wanted.length - 1);
    fixture.line.cut();
    await credits(fixture, id, `${round}.50`);
    await reader.took(wanted.length);
  }
  assert.deepEqual(amounts(reader.events), wanted);
  const asked = passedOf(fixture.line, 'GET /api/v1/events').map(({ headers }) => headers['last-event-id']);
  assert.ok(asked.length >= 5);
  assert.ok(asked.slice(1).every((cursor) => reader.events.some(({ occurredAt }) => occurredAt === cursor)));
  assert.ok(reader.states.some((state) => state.state === 'waiting' && state.because.code === 'CONNECTION_FAILED'));
  await reader.stop();
});

test('without a cursor, a connection that breaks before its first event resumes at its start', async (t) => {
  const fixture = await openFixture(t);
  const id = await aUser(fixture.client, '1.00');
  const reader = follow(fixture);
  await reader.live();
  fixture.line.play('/events', 'lose-request', 'lose-request');
  fixture.line.cut();
  await credits(fixture, id, '2.00');
  await reader.took(1);
  assert.deepEqual(amounts(reader.events), ['2.00']);
  await reader.stop();
});

test('an event that a proxy sends twice is delivered once', async (t) => {
  const fixture = await openFixture(t);
  const id = await aUser(fixture.client);
  await credits(fixture, id, '1.00', '2.00');
  const query = { since: START, types: ['balance.credited'] } as const;
  const first = follow(fixture, query);
  await first.took(2);
  await first.stop();
  const frames = first.events.map(
    (event) => `id: ${event.occurredAt}\r\nevent: ${event.eventType}\r\ndata: ${JSON.stringify(event)}\r\n\r\n`,
  );
  const body = frames.flatMap((frame) => [frame, frame]).join('');
  fixture.line.play('/events', { status: 200, headers: { 'content-type': 'text/event-stream' }, body });
  const second = follow(fixture, query);
  await second.took(2);
  await credits(fixture, id, '3.00');
  await second.took(3);
  assert.deepEqual(amounts(second.events), ['1.00', '2.00', '3.00']);
  await second.stop();
});

test('filters choose types and resources, and narrow the type of the event', async (t) => {
  const fixture = await openFixture(t);
  const id = await aUser(fixture.client, '1.00');
  await fixture.client.balances.debit(id, { amount: '0.25' });
  for await (const event of fixture.client.events({ since: START, types: ['balance.debited'] })) {
    // Compiles only because the type of the event follows the filter.
    assert.deepEqual([event.eventType, event.payload.destination.length > 0], ['balance.debited', true]);
    break;
  }
  for await (const event of fixture.client.events({ since: START, resources: ['User'] })) {
    assert.deepEqual([event.eventType, event.aggregateType, event.aggregateId], ['user.created', 'User', id]);
    break;
  }
});

test('a wrong key and an unknown filter end the loop with the error', async (t) => {
  const { client, over } = await openFixture(t);
  const read = (events: AsyncIterable<unknown>) => failureOf(Array.fromAsync(events));
  assert.equal((await read(over({ apiKey: 'wrong' }).events())).code, 'UNAUTHORIZED');
  assert.equal((await read(client.events({ types: ['order.exploded' as 'order.closed'] }))).code, 'VALIDATION_ERROR');
  assert.equal((await read(client.events({ since: 'yesterday' }))).code, 'VALIDATION_ERROR');
});

const PAGE = { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Back soon</h1>' };
const MOVED = { status: 302, headers: { location: 'https://elsewhere.example/' } };
const STREAM = { 'content-type': 'text/event-stream' };

test('the stream retries after a maintenance page, a redirect and a broken message, and no event is missing', async (t) => {
  const fixture = await openFixture(t);
  const id = await aUser(fixture.client, '1.00');
  fixture.line.play('/events', PAGE, { status: 404, body: '<h1>Gone</h1>' });
  const reader = follow(fixture, { since: START, types: ['balance.credited'] });
  await reader.took(1);
  fixture.line.play('/events', MOVED, { status: 200, headers: STREAM, body: 'id: x\ndata: {"half\n\n' });
  fixture.line.cut();
  await credits(fixture, id, '2.00');
  await reader.took(2);
  assert.deepEqual(amounts(reader.events), ['1.00', '2.00']);
  const waited = reader.states.flatMap((state) => (state.state === 'waiting' ? [state.because.status] : []));
  assert.deepEqual(
    waited.filter((status) => status !== null),
    [200, 404, 302, 200],
  );
  await reader.stop();
});

test('a page that stays where no stream ever was, and a message that stays broken, are thrown in the end', {
  timeout: 240_000,
}, async (t) => {
  const broken = { status: 200, headers: STREAM, body: 'id: x\n\ndata: {"half\n\n' };
  const ends = async (trick: typeof broken) => {
    const { line, over } = await openFixture(t);
    line.play('/events', ...Array.from({ length: 20 }, () => trick));
    const error = await failureOf(Array.fromAsync(over().events()));
    assert.deepEqual([error.code, error.status], ['UNEXPECTED_ANSWER', 200]);
    assert.equal(passedOf(line, '/events').length, 6);
  };
  await Promise.all([ends(PAGE), ends(broken)]);
});

test('the silence limit may be infinite, an invalid limit is a TypeError, and an observer that throws does not end the loop', async (t) => {
  const { client } = await openFixture(t);
  for (const silenceMs of [0, -1, Number.NaN]) assert.throws(() => client.events({ silenceMs }), TypeError);
  await aUser(client, '1.00');
  let told = 0;
  const onState = () => {
    told++;
    throw new Error('the log is full');
  };
  const query = { since: START, types: ['balance.credited'], silenceMs: Number.POSITIVE_INFINITY, onState } as const;
  for await (const event of client.events(query)) {
    assert.equal(event.payload.amount, '1.00');
    break;
  }
  // Connecting and live: it was not made again because of a silence of no time.
  assert.equal(told, 2);
});

test('a key that is revoked during the stream ends the loop with UNAUTHORIZED', async (t) => {
  const { app, master } = await openFixture(t);
  const { id, key } = await master.keys.create({ name: 'short', scopes: ['read'], marketplaceId: 'mkt_default' });
  const { Holdfast } = await import('@holdfast/sdk');
  let isLive = false;
  const onState = ({ state }: StreamState) => {
    isLive ||= state === 'live';
  };
  const reading = failureOf(Array.fromAsync(new Holdfast({ url: app.url, apiKey: key }).events({ onState })));
  await until(() => isLive, 'the stream is live');
  await master.keys.revoke(id);
  assert.equal((await reading).code, 'UNAUTHORIZED');
});

test('a silent connection is closed and opened again', async (t) => {
  const fixture = await openFixture(t);
  const id = await aUser(fixture.client);
  const reader = follow(fixture, { since: START, types: ['balance.credited'], silenceMs: 400 });
  await reader.live();
  fixture.line.silent = true;
  await credits(fixture, id, '1.00');
  await until(() => reader.states.some(({ state }) => state === 'waiting'), 'the silence is noticed');
  fixture.line.silent = false;
  await reader.took(1);
  assert.deepEqual(amounts(reader.events), ['1.00']);
  await reader.stop();
});

test('the time that the loop spends on an event does not count as silence', async (t) => {
  const { client, shaky, line } = await openFixture(t);
  await aUser(client);
  const silenceMs = 1_500;
  const startedAt = performance.now();
  let taken = 0;
  for await (const _ of shaky.events({ since: START, types: ['user.created'], silenceMs })) {
    if (++taken === 2) break;
    await until(() => performance.now() - startedAt > silenceMs + 500, 'the loop has taken its time');
    await aUser(client);
  }
  assert.equal(passedOf(line, '/events').length, 1);
});

test('the stream waits for a busy server, and for a failing proxy, as long as Retry-After says', async (t) => {
  const fixture = await openFixture(t);
  await aUser(fixture.client, '1.00');
  fixture.line.play('/events', { status: 502, body: 'bad gateway' }, { status: 429, headers: { 'retry-after': '1' } });
  const reader = follow(fixture, { since: START, types: ['balance.credited'] });
  await reader.took(1);
  const waits = reader.states.flatMap((state) => (state.state === 'waiting' ? [state] : []));
  assert.deepEqual(
    waits.map(({ because }) => because.status),
    [502, 429],
  );
  assert.ok(waits[1]!.ms >= 1_000);
  await reader.stop();
});

test('aborting ends the loop without an error, before, while connecting and while it waits', async (t) => {
  const fixture = await openFixture(t);
  assert.deepEqual(await Array.fromAsync(fixture.client.events({ signal: AbortSignal.abort() })), []);
  fixture.line.play('/events', 'hang', { status: 503, headers: { 'retry-after': '30' } });
  const connecting = follow(fixture);
  await until(() => passedOf(fixture.line, '/events').length === 1, 'it is connecting');
  await connecting.stop();
  const waiting = follow(fixture);
  await until(() => waiting.states.some(({ state }) => state === 'waiting'), 'it waits');
  await waiting.stop();
  assert.equal(waiting.events.length, 0);
});
