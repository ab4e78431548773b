// Counts requests in Redis, so that several servers share one count. When Redis is slow or gone this process counts for
// itself: a broken Redis must neither open the door nor hold a request up.

import { Redis } from 'ioredis';
import type { Limiter, Taken } from './limiter.ts';
import { takenOf } from './limiter.ts';

const TIMEOUT_MS = 250;
/** After a failure Redis is left alone for this long, so that a hanging one costs one request a wait, and not each. */
const PAUSE_MS = 1_000;
const KEY_PREFIX = 'holdfast:rate:';

export type RedisLimiterOptions = {
  readonly url: string;
  readonly windowMs: number;
  readonly now: () => number;
  readonly fallback: Limiter;
  readonly warn: (message: string, error: unknown) => void;
  readonly timeoutMs?: number;
};

export const redisLimiter = (options: RedisLimiterOptions): Limiter => {
  const { windowMs, now, fallback, warn, timeoutMs = TIMEOUT_MS } = options;
  const redis = new Redis(options.url, {
    connectTimeout: 5_000,
    // A request waits for an answer, never for a connection.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  let pausedUntilMs = 0;
  let down = false;

  const fail = (error: unknown): void => {
    pausedUntilMs = now() + PAUSE_MS;
    if (down) return;
    down = true;
    warn('Redis does not count requests; this process counts for itself until it is back.', error);
  };
  redis.on('error', fail);

  const count = async (name: string, limit: number): Promise<Taken> => {
    const key = KEY_PREFIX + name;
    const results = await within(
      redis.multi().set(key, '0', 'PX', windowMs, 'NX').incr(key).pttl(key).exec(),
      timeoutMs,
    );
    for (const [error] of results ?? []) if (error) throw error;
    const total = results?.[1]?.[1];
    const restMs = results?.[2]?.[1];
    if (typeof total !== 'number' || typeof restMs !== 'number') throw new Error('Redis gave no count');
    // It ran out between SET and INCR, which made it anew without an end: without this it would count for ever.
    if (restMs < 0) await within(redis.pexpire(key, windowMs), timeoutMs);
    down = false;
    return takenOf({ count: total, limit, resetAtMs: now() + (restMs < 0 ? windowMs : restMs) });
  };

  return {
    take(name, limit) {
      if (redis.status !== 'ready' || now() < pausedUntilMs) return fallback.take(name, limit);
      return count(name, limit).catch((error: unknown) => {
        fail(error);
        return fallback.take(name, limit);
      });
    },
    async close() {
      redis.disconnect();
    },
  };
};

const within = <T>(work: Promise<T>, timeoutMs: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis did not answer within ${timeoutMs} ms`)), timeoutMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};
