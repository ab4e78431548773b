// The rate limit of requests: per key, otherwise per address, counted in memory.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressBucket, memoryLimiter } from '../../server/src/http/rate-limit.ts';
import { openServer } from './server-fixture.ts';

const API = '/api/v1';
const limited = (max: number, now: () => number = Date.now) => ({
  rateLimit: { max, windowMs: 60_000 },
  limiter: memoryLimiter({ windowMs: 60_000, now }),
  now,
});

test('the request after the last allowed one is 429 with everything a client needs to wait', async () => {
  let nowMs = 1_000_000_000_500;
  const server = await openServer(limited(3, () => nowMs));
  for (const left of ['2', '1', '0']) {
    const answer = await server.ask('GET', `${API}/things`, { key: 'reader' });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('x-ratelimit-limit'), '3');
    assert.equal(answer.headers.get('x-ratelimit-remaining'), left);
    assert.equal(answer.headers.get('x-ratelimit-reset'), '1000000061');
  }
  nowMs += 20_000;
  const refused = await server.ask('GET', `${API}/things`, { key: 'reader' });
  assert.equal(refused.status, 429);
  assert.equal(refused.body.error.code, 'RATE_LIMITED');
  const { limit, windowSeconds, retryAfter } = refused.body.error.details;
  assert.deepEqual({ limit, windowSeconds, retryAfter }, { limit: 3, windowSeconds: 60, retryAfter: 40 });
  assert.equal(refused.headers.get('retry-after'), '40');
  assert.equal(refused.headers.get('x-ratelimit-remaining'), '0');
  nowMs += 40_000;
  assert.equal((await server.ask('GET', `${API}/things`, { key: 'reader' })).status, 200);
  await server.app.close();
});

test('each key has its own count, and its own limit when it carries one', async () => {
  const server = await openServer(limited(5));
  for (let i = 0; i < 2; i++)
    assert.equal((await server.ask('GET', `${API}/things`, { key: 'slow' })).headers.get('x-ratelimit-limit'), '2');
  assert.equal((await server.ask('GET', `${API}/things`, { key: 'slow' })).status, 429);
  assert.equal((await server.ask('GET', `${API}/things`, { key: 'reader' })).headers.get('x-ratelimit-remaining'), '4');
  await server.app.close();
});

test('callers without a valid key share the count of their address, so keys cannot be guessed at any speed', async () => {
  const server = await openServer(limited(3));
  assert.equal((await server.ask('GET', `${API}/things`)).headers.get('x-ratelimit-remaining'), '2');
  assert.equal(
    (await server.ask('GET', `${API}/things`, { key: 'guess-1' })).headers.get('x-ratelimit-remaining'),
    '1',
  );
  assert.equal((await server.ask('GET', `${API}/health`)).headers.get('x-ratelimit-remaining'), '0');
  assert.equal((await server.ask('GET', `${API}/things`, { key: 'guess-2' })).status, 429);
  assert.equal((await server.ask('GET', `${API}/nowhere`)).status, 429);
  assert.equal((await server.ask('GET', `${API}/things`, { key: 'reader' })).status, 200);
  await server.app.close();
});

test('a missing scope is reported before the rate limit, and refused requests count too', async () => {
  const server = await openServer(limited(1));
  const ask = () => server.ask('POST', `${API}/users/u1/credit`, { key: 'reader', body: {} });
  assert.deepEqual([(await ask()).status, (await ask()).status], [403, 403]);
  assert.equal((await server.ask('GET', `${API}/things`, { key: 'reader' })).status, 429);
  await server.app.close();
});

test('every kind of answer carries the rate headers', async () => {
  const server = await openServer();
  const answers = [
    await server.ask('GET', `${API}/things`),
    await server.ask('GET', `${API}/nowhere`),
    await server.ask('DELETE', `${API}/things`),
    await server.ask('GET', `${API}/boom`, { key: 'reader' }),
    await server.ask('GET', `${API}/events`, { key: 'reader' }),
    await server.ask('POST', `${API}/users/u1/credit`, { key: 'writer', text: '{' }),
    await server.ask('GET', `${API}/%ZZ`),
    await server.ask('GET', '/docs/'),
  ];
  for (const { status, headers } of answers) {
    for (const name of ['limit', 'remaining', 'reset'])
      assert.match(headers.get(`x-ratelimit-${name}`) ?? '', /^\d+$/, `${status} ${name}`);
  }
  await server.app.close();
});

test("behind a trusted proxy the client's own address counts, and a client cannot choose it", async () => {
  const proxied = await openServer({ ...limited(5), trustProxy: 1 });
  const from = (address: string) => proxied.ask('GET', `${API}/health`, { headers: { 'x-forwarded-for': address } });
  assert.equal((await from('203.0.113.7')).headers.get('x-ratelimit-remaining'), '4');
  assert.equal((await from('203.0.113.8')).headers.get('x-ratelimit-remaining'), '4');
  assert.equal((await from('1.1.1.1, 203.0.113.7')).headers.get('x-ratelimit-remaining'), '3');
  await proxied.app.close();
  const direct = await openServer(limited(5));
  const pretend = (address: string) => direct.ask('GET', `${API}/health`, { headers: { 'x-forwarded-for': address } });
  assert.equal((await pretend('203.0.113.7')).headers.get('x-ratelimit-remaining'), '4');
  assert.equal((await pretend('203.0.113.8')).headers.get('x-ratelimit-remaining'), '3');
  await direct.app.close();
});

test('TLS at a trusted proxy turns strict transport on, and nothing else does', async () => {
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' };
  const proxied = await openServer({ trustProxy: 1 });
  assert.match(
    (await proxied.ask('GET', `${API}/health`, { headers })).headers.get('strict-transport-security') ?? '',
    /max-age/,
  );
  assert.equal((await proxied.ask('GET', `${API}/health`)).headers.get('strict-transport-security'), null);
  await proxied.app.close();
  const direct = await openServer();
  assert.equal((await direct.ask('GET', `${API}/health`, { headers })).headers.get('strict-transport-security'), null);
  await direct.app.close();
});

test('one IPv6 network is one bucket, and a mapped address is the IPv4 one', () => {
  assert.equal(addressBucket('2001:db8:1:2:3:4:5:6'), addressBucket('2001:db8:1:2::9'));
  assert.notEqual(addressBucket('2001:db8:1:2::9'), addressBucket('2001:db8:1:3::9'));
  assert.equal(addressBucket('::ffff:192.0.2.1'), addressBucket('192.0.2.1'));
  assert.equal(addressBucket('::1'), 'ip:0:0:0:0::/64');
});

test('the number of counters in memory is bounded, and expired ones are removed first', () => {
  let nowMs = 0;
  const limiter = memoryLimiter({ windowMs: 1_000, now: () => nowMs, bucketsMax: 10 });
  for (let i = 0; i < 1_000; i++) limiter.take(`ip:${i}`, 5);
  assert.equal(limiter.size, 10);
  nowMs = 1_000;
  limiter.take('ip:new', 5);
  assert.equal(limiter.size, 1);
});
