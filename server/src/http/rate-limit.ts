// Rate limits: a maximum number of requests per bucket in a window of fixed length that starts with the first request. Requests are
// counted in Redis when REDIS_URL is set, so that all processes share one count, and otherwise in this process.

import { isIPv6 } from 'node:net';
import { Redis } from 'ioredis';
import { within } from '../base/wait.ts';

export type Taken = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Unix time in milliseconds at which the window ends. */
  readonly resetAtMs: number;
};

export type Limiter = {
  /** Counts one request. Returns without a promise when it can. */
  take(bucket: string, limit: number): Taken | Promise<Taken>;
  close?(): Promise<void>;
};

type Options = {
  readonly windowMs: number;
  readonly redisUrl: string | null;
  warn(message: string, error: unknown): void;
};

export const openLimiter = ({ windowMs, redisUrl, warn }: Options): Limiter => {
  const counting = { windowMs, now: Date.now };
  const inMemory = memoryLimiter(counting);
  return redisUrl ? redisLimiter({ ...counting, url: redisUrl, fallback: inMemory, warn }) : inMemory;
};

/** The bucket of a caller without a key. An IPv6 customer has a whole /64, so one address per bucket would be no limit. */
export const addressBucket = (address: string | undefined): string => {
  if (address === undefined) return 'ip:unknown';
  if (!address.includes(':')) return `ip:${address}`;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return `ip:${mapped[1]}`;
  return isIPv6(address) ? `ip:${networkOf(address)}` : 'ip:unknown';
};

const networkOf = (address: string): string => {
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const groups = [...front, ...Array<string>(zeros).fill('0'), ...back].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
};

const BUCKETS_MAX = 100_000;

type Bucket = { count: number; resetAtMs: number };

type MemoryLimiter = {
  take(bucket: string, limit: number): Taken;
  /** Takes back what was counted, as long as the same window lasts. */
  giveBack(bucket: string): void;
  countOf(bucket: string): number;
  readonly size: number;
};

const takenOf = (taken: { count: number; limit: number; resetAtMs: number }): Taken => ({
  allowed: taken.count <= taken.limit,
  limit: taken.limit,
  remaining: taken.count < taken.limit ? taken.limit - taken.count : 0,
  resetAtMs: taken.resetAtMs,
});

// Counts requests in this process. It never holds more than a fixed number of buckets.
export const memoryLimiter = (options: { windowMs: number; now: () => number; bucketsMax?: number }): MemoryLimiter => {
  const { windowMs, now, bucketsMax = BUCKETS_MAX } = options;
  // All windows have the same length and a new window is inserted at the end, so the order of insertion is the order of expiry.
  const buckets = new Map<string, Bucket>();

  // A window that would last longer than its length was started before the clock was set back. It must not last that long.
  const isOver = ({ resetAtMs }: Bucket, nowMs: number): boolean => resetAtMs <= nowMs || resetAtMs > nowMs + windowMs;

  const makeRoom = (nowMs: number): void => {
    for (const [name, bucket] of buckets) {
      if (!isOver(bucket, nowMs) && buckets.size < bucketsMax) return;
      buckets.delete(name);
    }
  };

  return {
    get size() {
      return buckets.size;
    },
    take(name, limit) {
      const nowMs = now();
      let bucket = buckets.get(name);
      if (bucket === undefined || isOver(bucket, nowMs)) {
        if (bucket !== undefined) buckets.delete(name);
        makeRoom(nowMs);
        bucket = { count: 0, resetAtMs: nowMs + windowMs };
        buckets.set(name, bucket);
      }
      bucket.count++;
      return takenOf({ count: bucket.count, limit, resetAtMs: bucket.resetAtMs });
    },
    giveBack(name) {
      const bucket = buckets.get(name);
      if (bucket !== undefined && bucket.count > 0) bucket.count--;
    },
    countOf(name) {
      const bucket = buckets.get(name);
      return bucket === undefined || isOver(bucket, now()) ? 0 : bucket.count;
    },
  };
};

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

// Counts requests in Redis. While Redis is slow or unreachable this process counts alone: a broken Redis must neither lift the limit
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
