// Counting in Redis: several servers share one count, and the limit also holds while Redis is slow or unreachable.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Limiter, memoryLimiter, type Taken } from '../../server/src/http/rate-limit.ts';
import { redisLimiter } from '../../server/src/http/redis-limiter.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { startRedisSimulator } from '../support/redis-simulator.ts';
import { openServer } from './server-fixture.ts';

/** Long enough for a busy machine: only a test of a hanging Redis waits for the time-out. */
const PATIENT_MS = 60_000;
const HANG_MS = 100;

const openSimulator = async (t: TestContext, options: Parameters<typeof startRedisSimulator>[0] = {}) => {
  const simulator = await startRedisSimulator(options);
  afterwards(t, () => simulator.stop());
  return simulator;
};

type LimiterStart = { readonly url: string; readonly now?: () => number; readonly timeoutMs?: number };

const openLimiter = (t: TestContext, { url, now = Date.now, timeoutMs = PATIENT_MS }: LimiterStart) => {
  const warnings: string[] = [];
  const fallback = memoryLimiter({ windowMs: 60_000, now });
  const warn = (message: string) => warnings.push(message);
  const limiter = redisLimiter({ url, windowMs: 60_000, now, fallback, warn, timeoutMs });
  afterwards(t, async () => limiter.close?.());
  return { limiter, warnings, fallback };
};

/** The limiter answers from memory until it is connected; a promise shows that Redis is asked. */
const untilAsked = async (limiter: Limiter): Promise<void> => {
  for (;;) {
    const taken = limiter.take('warm-up', 1_000_000);
    if (taken instanceof Promise) {
      await taken;
      return;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
};

test('two servers share one count, which ends with its window', async (t) => {
  let nowMs = 1_000_000;
  const now = () => nowMs;
  const simulator = await openSimulator(t, { now });
  const one = openLimiter(t, { url: simulator.url, now });
  const two = openLimiter(t, { url: simulator.url, now });
  await Promise.all([untilAsked(one.limiter), untilAsked(two.limiter)]);
  const counts: Taken[] = [];
  for (const { limiter } of [one, two, one]) counts.push(await limiter.take('key:a', 2));
  assert.deepEqual(
    counts.map(({ allowed, remaining }) => [allowed, remaining]),
    [
      [true, 1],
      [true, 0],
      [false, 0],
    ],
  );
  assert.deepEqual(new Set(counts.map(({ resetAtMs }) => resetAtMs)), new Set([1_060_000]));
  nowMs += 60_000;
  assert.equal((await two.limiter.take('key:a', 2)).remaining, 1);
});

test('many requests at once are counted one by one', async (t) => {
  const simulator = await openSimulator(t);
  const { limiter } = openLimiter(t, { url: simulator.url });
  await untilAsked(limiter);
  const taken = await Promise.all(Array.from({ length: 100 }, () => limiter.take('key:a', 30)));
  assert.equal(taken.filter(({ allowed }) => allowed).length, 30);
});

test('a counter without an end gets one, so it cannot refuse for ever', async (t) => {
  const simulator = await openSimulator(t);
  const { limiter } = openLimiter(t, { url: simulator.url });
  await untilAsked(limiter);
  simulator.plant('holdfast:rate:key:a', '41');
  await limiter.take('key:a', 10);
  assert.notEqual(simulator.entries.get('holdfast:rate:key:a')?.expiresAtMs, null);
});

test('a Redis that hangs delays one request by the time-out, and then this process counts alone', async (t) => {
  const simulator = await openSimulator(t);
  const { limiter, warnings, fallback } = openLimiter(t, { url: simulator.url, timeoutMs: HANG_MS });
  await untilAsked(limiter);
  simulator.hang(true);
  assert.equal((await limiter.take('key:a', 2)).remaining, 1);
  const second = limiter.take('key:a', 2);
  assert.ok(!(second instanceof Promise), 'no wait while Redis is left alone');
  assert.equal(second.remaining, 0);
  assert.equal((await limiter.take('key:a', 2)).allowed, false);
  assert.equal(fallback.size, 2);
  assert.equal(warnings.length, 1);
});

test('without Redis the server still limits, and a Redis that comes back is used again', async (t) => {
  const gone = await startRedisSimulator();
  const port = Number(new URL(gone.url).port);
  await gone.stop();
  const { limiter, warnings } = openLimiter(t, { url: gone.url });
  const server = await openServer({ limiter, rateLimit: { max: 2, windowMs: 60_000 } });
  afterwards(t, () => server.app.close());
  const statuses: number[] = [];
  for (let i = 0; i < 3; i++) statuses.push((await server.ask('GET', '/api/v1/things', { key: 'reader' })).status);
  assert.deepEqual(statuses, [200, 200, 429]);
  assert.equal(warnings.length, 1);
  const simulator = await openSimulator(t, { port });
  await untilAsked(limiter);
  assert.equal(
    (await server.ask('GET', '/api/v1/things', { key: 'reader' })).headers.get('x-ratelimit-remaining'),
    '1',
  );
  assert.ok(simulator.heard.includes('EXEC'));
});
