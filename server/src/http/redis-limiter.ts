// A rate limit that is counted in Redis, so that all processes share one count.

import { Redis } from 'ioredis';
import { within } from '../base/wait.ts';
import { type Limiter, type Taken, takenOf } from './rate-limit.ts';

const TIMEOUT_MS = 250;
/** After a failure Redis is not used for this long, so that a hanging Redis delays one request and not each. */
const PAUSE_MS = 1_000;
const KEY_PREFIX = 'holdfast:rate:';

type RedisLimiterOptions = {
  readonly url: string;
  readonly windowMs: number;
  readonly now: () => number;
  readonly fallback: Limiter;
  readonly warn: (message: string, error: unknown) => void;
  readonly timeoutMs?: number;
};

// While Redis is slow or unreachable this process counts alone: a broken Redis must neither lift the limit
// nor delay a request.
export const redisLimiter = (options: RedisLimiterOptions): Limiter => {
  const { windowMs, now, fallback, warn, timeoutMs = TIMEOUT_MS } = options;
  const redis = new Redis(options.url, {
    connectTimeout: 5_000,
    // A request waits for a reply of Redis, never for a connection.
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
    warn('Redis cannot count requests; this process counts alone until Redis is back', error);
  };
  redis.on('error', fail);

  const tooLate = (): never => {
    throw new Error(`Redis did not answer within ${timeoutMs} ms`);
  };

  const count = async (name: string, limit: number): Promise<Taken> => {
    const key = KEY_PREFIX + name;
    const counted = redis.multi().set(key, '0', 'PX', windowMs, 'NX').incr(key).pttl(key).exec();
    const results = await within(counted, { ms: timeoutMs, late: tooLate });
    for (const [error] of results ?? []) if (error) throw error;
    const total = results?.[1]?.[1];
    const restMs = results?.[2]?.[1];
    if (typeof total !== 'number' || typeof restMs !== 'number') throw new Error('Redis gave no count');
    // The key expired between SET and INCR, and INCR created it without an expiry. Without this line it would count forever.
    if (restMs < 0) await within(redis.pexpire(key, windowMs), { ms: timeoutMs, late: tooLate });
    down = false;
    return takenOf({ count: total, limit, resetAtMs: now() + (restMs < 0 ? windowMs : restMs) });
  };

  const look = async (name: string, limit: number): Promise<Taken> => {
    const key = KEY_PREFIX + name;
    const results = await within(redis.multi().get(key).pttl(key).exec(), { ms: timeoutMs, late: tooLate });
    for (const [error] of results ?? []) if (error) throw error;
    const restMs = Number(results?.[1]?.[1] ?? -1);
    return takenOf({
      count: Number(results?.[0]?.[1] ?? 0) + 1,
      limit,
      resetAtMs: now() + (restMs < 0 ? windowMs : restMs),
    });
  };

  return {
    peek(name, limit) {
      if (redis.status !== 'ready' || now() < pausedUntilMs) return fallback.peek(name, limit);
      return look(name, limit).catch((error: unknown) => {
        fail(error);
        return fallback.peek(name, limit);
      });
    },
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
