// The HTTP client of all providers: how it classifies each kind of failure, what it retries, and when its breaker opens.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Answer, yes } from '../../server/src/base/answer.ts';
import type { CallRecord } from '../../server/src/providers/call-record.ts';
import { type Call, type ClientOptions, createClient } from '../../server/src/providers/http-client.ts';
import { fieldsOf, textOf } from '../../server/src/providers/reply-fields.ts';
import { cut, gist, otherProtocol, say, silence, startOddOne } from './provider-fixture.ts';

const GET: Call<string> = {
  operation: 'look',
  method: 'GET',
  path: '/thing',
  repeatable: true,
  read: ({ json }) => yes(textOf(fieldsOf(json), 'said')),
};
const POST: Call<string> = {
  ...GET,
  operation: 'do',
  method: 'POST',
  json: () => ({ secret: 'body' }),
  repeatable: false,
};

function clientAt(url: string, more: Partial<ClientOptions> = {}) {
  const calls: CallRecord[] = [];
  const onCall = (call: CallRecord) => void calls.push(call);
  // Longer than any pause of a busy machine.
  const client = createClient({ provider: 'escrow-provider', baseUrl: url, timeoutMs: 30_000, onCall, ...more });
  return { client, calls };
}

const hello = say(200, { said: 'hello' });

test('an answer may be compressed, and its size counts as it is read', async (t) => {
  const compressed = (text: string) => say(200, gzipSync(text), { 'content-encoding': 'gzip' });
  const cases: [string[], Parameters<typeof startOddOne>[1][number]][] = [
    [['yes', 'hello'], compressed('{"said":"hello"}')],
    [['unknown', 'unreadable'], compressed(`"${'x'.repeat(5_000_000)}"`)],
    [['unknown', 'unreadable'], say(200, 'not compressed', { 'content-encoding': 'gzip' })],
  ];
  for (const [expected, answer] of cases) {
    const odd = await startOddOne(t, [answer]);
    const { client } = clientAt(odd.url, { attemptsMax: 1, timeoutMs: 60_000 });
    const got = await client.request(GET);
    assert.deepEqual(got.kind === 'yes' ? ['yes', got.value] : gist(got), expected);
  }
});

test('each kind of trouble is an unknown by its name, and never a no', async (t) => {
  const cases: [string, Parameters<typeof startOddOne>[1][number], boolean][] = [
    ['provider-error', say(500, { message: 'Internal server error' }), false],
    ['provider-error', say(503, '<html>'), false],
    ['unreadable', say(200, '<html>'), false],
    ['unreadable', say(200, { other: 1 }), false],
    ['unreadable', say(200, `"${'x'.repeat(5_000_000)}"`), false],
    ['misconfigured', say(401, { message: 'Unauthorized' }), true],
    ['misconfigured', say(403, {}), true],
    ['misconfigured', say(302, {}, { location: 'http://127.0.0.1:9/' }), false],
    ['rate-limited', say(429, {}), true],
    ['unclear', say(404, '<html>'), false],
    ['unclear', say(418, {}), false],
    ['connection', cut, false],
    ['unreadable', otherProtocol, false],
  ];
  for (const [code, answer, untouched] of cases) {
    const odd = await startOddOne(t, [answer]);
    // Five megabytes take a busy machine a while.
    const { client } = clientAt(odd.url, { attemptsMax: 1, timeoutMs: 60_000 });
    const got = await client.request(POST);
    assert.deepEqual([gist(got), (got as { untouched: boolean }).untouched], [['unknown', code], untouched]);
  }
});

test('silence ends at the deadline as a time-out', async (t) => {
  const odd = await startOddOne(t, [silence]);
  // Long enough for the call to arrive, also on a busy machine.
  const { client, calls } = clientAt(odd.url, { timeoutMs: 600 });
  assert.deepEqual(gist(await client.request(GET)), ['unknown', 'timeout']);
  assert.equal(odd.seen.length, 1);
  assert.ok(calls[0]!.durationMs >= 590 && calls[0]!.durationMs < 10_000);
});

test('an answer that stops half way ends at the deadline too', async (t) => {
  const odd = await startOddOne(t, [
    (response) => void response.writeHead(200, { 'content-length': '100' }).write('{"said":'),
  ]);
  assert.deepEqual(gist(await clientAt(odd.url, { timeoutMs: 60 }).client.request(GET)), ['unknown', 'timeout']);
});

test('a connection that is refused was never made: unknown, untouched, and safe to repeat even for a write', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  const { client, calls } = clientAt(`http://127.0.0.1:${port}`);
  const got = await client.request(POST);
  assert.deepEqual([gist(got), (got as { untouched: boolean }).untouched], [['unknown', 'connection'], true]);
  assert.equal(calls[0]!.attempts, 3);
  assert.equal(t.signal.aborted, false);
});

test('what is safe to repeat is repeated a bounded number of times; what is not, is not', async (t) => {
  const flaky = await startOddOne(t, [cut, say(503, {}), hello]);
  assert.deepEqual(await clientAt(flaky.url).client.request(GET), yes('hello'));
  assert.equal(flaky.seen.length, 3);
  const dead = await startOddOne(t, [say(503, {})]);
  assert.deepEqual(gist(await clientAt(dead.url).client.request(GET)), ['unknown', 'provider-error']);
  assert.equal(dead.seen.length, 3);
  for (const answer of [cut, say(500, {}), say(504, {})]) {
    const once = await startOddOne(t, [answer, hello]);
    assert.equal((await clientAt(once.url).client.request(POST)).kind, 'unknown');
    assert.equal(once.seen.length, 1);
  }
});

test('a call with 429 was not carried out, so a write is repeated too, after the time in the answer', async (t) => {
  const odd = await startOddOne(t, [say(429, {}, { 'retry-after': '1' }), hello]);
  const { client, calls } = clientAt(odd.url, { timeoutMs: 5_000 });
  assert.deepEqual(await client.request(POST), yes('hello'));
  assert.equal(odd.seen.length, 2);
  assert.ok(calls[0]!.durationMs >= 900);
});

test('a wait beyond the deadline is not waited for', async (t) => {
  const odd = await startOddOne(t, [say(429, {}, { 'retry-after': '60' }), hello]);
  const { client, calls } = clientAt(odd.url);
  const got = await client.request(GET);
  assert.deepEqual([gist(got), (got as { retryAfterMs: number }).retryAfterMs], [['unknown', 'rate-limited'], 60_000]);
  assert.ok(calls[0]!.durationMs < 1_000);
  assert.deepEqual(gist(await client.request(GET)), ['unknown', 'busy']);
  assert.equal(odd.seen.length, 1);
});

test('an unknown that was perhaps carried out once stays so after harmless repeats', async (t) => {
  const odd = await startOddOne(t, [cut, say(429, {})]);
  const got = await clientAt(odd.url, { attemptsMax: 2 }).client.request({ ...POST, repeatable: true });
  assert.deepEqual([gist(got), (got as { untouched: boolean }).untouched], [['unknown', 'rate-limited'], false]);
});

test('the breaker opens after failures in a row, sends nothing while open, and closes after one successful trial', async (t) => {
  let time = 0;
  const odd = await startOddOne(t, [say(500, {}), say(500, {}), say(500, {}), say(500, {}), hello]);
  const rules = { attemptsMax: 1, now: () => time, breaker: { failuresMax: 3, pauseMs: 1_000 } };
  const { client } = clientAt(odd.url, rules);
  for (let i = 0; i < 3; i++) assert.deepEqual(gist(await client.request(GET)), ['unknown', 'provider-error']);
  const shut = await client.request(POST);
  assert.deepEqual([gist(shut), (shut as { untouched: boolean }).untouched], [['unknown', 'circuit-open'], true]);
  assert.equal(odd.seen.length, 3);
  time = 1_000;
  assert.equal(client.breakerState, 'half-open');
  const trial = client.request(GET);
  assert.deepEqual(gist(await client.request(GET)), ['unknown', 'circuit-open'], 'only one trial at once');
  assert.deepEqual(gist(await trial), ['unknown', 'provider-error']);
  assert.equal(client.breakerState, 'open');
  time = 2_000;
  assert.deepEqual(await client.request(GET), yes('hello'));
  assert.equal(client.breakerState, 'closed');
  assert.equal(odd.seen.length, 5);
});

test('refusals and rate limits are answers and do not open the breaker', async (t) => {
  const odd = await startOddOne(t, [say(404, {})]);
  const { client } = clientAt(odd.url, { attemptsMax: 1, breaker: { failuresMax: 2, pauseMs: 60_000 } });
  for (let i = 0; i < 5; i++) await client.request(GET);
  assert.equal(client.breakerState, 'closed');
});

test('no more calls at once than allowed, and no more waiting than allowed', async (t) => {
  const held: (() => void)[] = [];
  const odd = await startOddOne(t, [(response) => void held.push(() => hello(response))]);
  const { client } = clientAt(odd.url, { concurrencyMax: 2, queueMax: 1 });
  const asked = [client.request(GET), client.request(GET), client.request(GET), client.request(GET)];
  assert.deepEqual(gist(await asked[3]!), ['unknown', 'busy']);
  while (held.length < 2) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(odd.seen.length, 2);
  held.shift()!();
  await Promise.race(asked.slice(0, 2));
  while (held.length < 2) await new Promise((resolve) => setImmediate(resolve));
  for (const answer of held) answer();
  assert.deepEqual(await Promise.all(asked.slice(0, 3)), [yes('hello'), yes('hello'), yes('hello')]);
});

/** A client with one call under way that the test ends, and the paths of the calls in the order of their arrival. */
const heldUp = async (t: Parameters<typeof startOddOne>[0], more: Partial<ClientOptions> = {}) => {
  const held: (() => void)[] = [];
  const odd = await startOddOne(t, [(response) => void held.push(() => hello(response)), hello]);
  const { client } = clientAt(odd.url, { concurrencyMax: 1, timeoutMs: 60_000, ...more });
  const first = client.request({ ...GET, path: '/first' });
  while (held.length < 1) await new Promise((resolve) => setImmediate(resolve));
  return { client, first, free: () => held[0]!(), seen: () => odd.seen.map(({ url }) => url) };
};

test('a waiting operation goes before the checks of webhooks, and these before hints, whichever came first', async (t) => {
  const { client, first, free, seen } = await heldUp(t);
  const background = client.withPriority('background');
  const waiting = [
    background.request({ ...GET, path: '/hint-1' }),
    client.withPriority('check').request({ ...GET, path: '/check' }),
    background.request({ ...GET, path: '/hint-2' }),
    client.request({ ...GET, path: '/operation-1' }),
    client.request({ ...GET, path: '/operation-2' }),
  ];
  free();
  await Promise.all([first, ...waiting]);
  assert.deepEqual(seen(), ['/first', '/operation-1', '/operation-2', '/check', '/hint-1', '/hint-2']);
});

test('a full queue drops the last hint for an operation, and refuses a hint', async (t) => {
  const { client, first, free, seen } = await heldUp(t, { queueMax: 2 });
  const background = client.withPriority('background');
  const hints = [1, 2, 3].map((number) => background.request({ ...GET, path: `/hint-${number}` }));
  assert.deepEqual(gist(await hints[2]!), ['unknown', 'busy']);
  const operations = [1, 2, 3].map((number) => client.request({ ...GET, path: `/operation-${number}` }));
  assert.deepEqual(gist(await hints[1]!), ['unknown', 'busy']);
  assert.deepEqual(gist(await hints[0]!), ['unknown', 'busy']);
  assert.deepEqual(gist(await operations[2]!), ['unknown', 'busy'], 'only operations are waiting');
  free();
  await Promise.all([first, ...operations]);
  assert.deepEqual(seen(), ['/first', '/operation-1', '/operation-2']);
});

test('marketplaces take turns, however many requests of one of them wait', async (t) => {
  const { client, first, free, seen } = await heldUp(t);
  const ask = (marketplaceId: string, n: number) =>
    client.forMarketplace(marketplaceId).request({ ...GET, path: `/${marketplaceId}-${n}` });
  const waiting = [
    ...[1, 2, 3].map((n) => ask('one', n)),
    ...[1, 2].map((n) => ask('other', n)),
    client
      .forMarketplace('other')
      .withPriority('background')
      .request({ ...GET, path: '/hint' }),
    ask('third', 1),
  ];
  free();
  await Promise.all([first, ...waiting]);
  const order = ['/one-1', '/other-1', '/third-1', '/one-2', '/other-2', '/one-3', '/hint'];
  assert.deepEqual(seen(), ['/first', ...order]);
});

test('a marketplace that comes later takes turns with one that waits, and does not go first each time', async (t) => {
  const held: (() => void)[] = [];
  const odd = await startOddOne(t, [(response) => void held.push(() => hello(response))]);
  const { client } = clientAt(odd.url, { concurrencyMax: 1, timeoutMs: 60_000 });
  const ask = (marketplaceId: string, n: number) =>
    client.forMarketplace(marketplaceId).request({ ...GET, path: `/${marketplaceId}-${n}` });
  const answerNext = async (number: number): Promise<void> => {
    while (held.length < number) await new Promise((resolve) => setImmediate(resolve));
    held[number - 1]!();
  };
  const asked = [0, 1, 2].map((n) => ask('one', n));
  await answerNext(1);
  await answerNext(2);
  asked.push(ask('new', 1), ask('new', 2));
  for (const number of [3, 4, 5]) await answerNext(number);
  await Promise.all(asked);
  assert.deepEqual(
    odd.seen.map(({ url }) => url),
    ['/one-0', '/one-1', '/new-1', '/one-2', '/new-2'],
  );
});

test('one marketplace leaves a part of the rate, of the places at once and of the queue to the others', async (t) => {
  const odd = await startOddOne(t, [hello]);
  const paced = clientAt(odd.url, { rate: { max: 8, windowMs: 60_000 }, sharePercent: 50 });
  const answered = async (marketplaceId: string): Promise<number> => {
    const asked = Array.from({ length: 8 }, () => paced.client.forMarketplace(marketplaceId).request(GET));
    return (await Promise.all(asked)).filter(({ kind }) => kind === 'yes').length;
  };
  assert.deepEqual([await answered('one'), await answered('other'), await answered('third')], [4, 2, 1]);
  const service = clientAt(odd.url, { rate: { max: 4, windowMs: 60_000 }, sharePercent: 50 }).client;
  const polls = [1, 2, 3].map(() => service.withPriority('background').request(GET));
  assert.deepEqual(gist((await Promise.all(polls))[2]!), ['unknown', 'busy']);
  assert.equal((await service.request(GET)).kind, 'yes', 'polls leave room for operations');

  const { client, first, free, seen } = await heldUp(t, { concurrencyMax: 2, queueMax: 4, sharePercent: 50 });
  const one = Array.from({ length: 4 }, () => client.forMarketplace('one').request({ ...GET, path: '/one' }));
  assert.deepEqual(gist(await one[3]!), ['unknown', 'busy'], 'one is sent and two wait');
  const other = client.forMarketplace('other').request({ ...GET, path: '/other' });
  await one[0];
  free();
  await Promise.all([first, ...one.slice(0, 3), other]);
  assert.ok(seen().indexOf('/other') < seen().lastIndexOf('/one'), 'the other does not wait for all of the first');
});

test('hints that wait for the rate do not make the wait of an operation longer than its deadline', async (t) => {
  let time = 0;
  const limits = { rate: { max: 1, windowMs: 2_000 }, concurrencyMax: 2, timeoutMs: 3_900, now: () => time };
  const { client, first, free, seen } = await heldUp(t, limits);
  const hint = client.withPriority('background').request(GET);
  const operation = client.request({ ...GET, path: '/operation' });
  time = 2_000;
  // The end of the first request starts the next one.
  free();
  assert.deepEqual([await first, await operation], [yes('hello'), yes('hello')]);
  assert.deepEqual(gist(await hint), ['unknown', 'busy']);
  assert.deepEqual(seen(), ['/first', '/operation']);
});

test('calls beyond the rate wait, or fail at once when the wait would be longer than their deadline', async (t) => {
  const odd = await startOddOne(t, [hello]);
  const patient = clientAt(odd.url, { rate: { max: 2, windowMs: 200 } });
  const startedAt = performance.now();
  const answers = await Promise.all([1, 2, 3, 4].map(() => patient.client.request(GET)));
  assert.ok(answers.every(({ kind }) => kind === 'yes'));
  assert.ok(performance.now() - startedAt >= 150);
  const hasty = clientAt(odd.url, { rate: { max: 1, windowMs: 60_000 } });
  assert.equal((await hasty.client.request(GET)).kind, 'yes');
  assert.deepEqual(gist(await hasty.client.request(GET)), ['unknown', 'busy']);
});

test('the scheme of an address may be in capital letters', async (t) => {
  const odd = await startOddOne(t, [hello]);
  const { client } = clientAt(odd.url.replace('http:', 'HTTP:'));
  assert.deepEqual(await client.request(GET), yes('hello'));
  const secure = clientAt(odd.url.replace('http:', 'HTTPS:'), { attemptsMax: 1 });
  assert.deepEqual(gist(await secure.client.request(GET)), ['unknown', 'connection']);
  assert.equal(odd.seen.length, 1);
});

test('a request that cannot be written was never sent', async (t) => {
  const odd = await startOddOne(t, []);
  const { client } = clientAt(odd.url, { headers: { authorization: 'Bearer a\nb' }, attemptsMax: 1 });
  const got = await client.request(POST);
  assert.deepEqual([gist(got), (got as { untouched: boolean }).untouched], [['unknown', 'connection'], true]);
  assert.equal(odd.seen.length, 0);
});

test('connections are used again', async (t) => {
  const odd = await startOddOne(t, [hello]);
  const { client } = clientAt(odd.url);
  for (let i = 0; i < 20; i++) await client.request(GET);
  // A second one may be opened while the first is still being put back.
  assert.ok(new Set(odd.seen.map(({ socket }) => socket)).size <= 2);
});

test('a refusal in the provider’s own format is a refusal, and a key is not sent to a redirect address', async (t) => {
  const odd = await startOddOne(t, [say(409, { message: 'taken' }), hello]);
  const { client } = clientAt(odd.url, { headers: { 'x-api-key': 'a key' } });
  const refuse = (): Answer<string> => ({ kind: 'no', reason: 'taken', code: 'TAKEN', status: 409 });
  assert.deepEqual(gist(await client.request({ ...POST, readError: refuse })), ['no', 'TAKEN']);
  await client.request({ ...GET, absoluteUrl: `${odd.url}/other`, query: { a: ['1', '2'] } });
  assert.deepEqual(
    odd.seen.map(({ url, headers }) => [url, headers['x-api-key']]),
    [
      ['/thing', 'a key'],
      ['/other?a=1&a=2', undefined],
    ],
  );
});

test('the record of a call has only names and numbers', async (t) => {
  const odd = await startOddOne(t, [say(500, { message: 'a secret answer' })]);
  const { client, calls } = clientAt(odd.url, { headers: { 'x-api-key': 'a-secret-key' } });
  await client.request(POST);
  const [{ durationMs, ...rest }] = calls as [CallRecord];
  assert.ok(Number.isInteger(durationMs));
  assert.deepEqual(rest, {
    provider: 'escrow-provider',
    operation: 'do',
    attempts: 1,
    status: 500,
    outcome: 'unknown',
    code: 'provider-error',
  });
});
