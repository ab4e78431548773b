// Rate limits: a maximum number of requests per bucket in a window of fixed length that starts with the first request. Requests are
// counted in Redis when REDIS_URL is set, so that all processes share one count, and otherwise in this process.

import { isIPv6 } from 'node:net';

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
  /** What `take` would answer now, without counting. */
  peek(bucket: string, limit: number): Taken | Promise<Taken>;
  close?(): Promise<void>;
};

type Options = {
  readonly windowMs: number;
  readonly redisUrl: string | null;
  warn(message: string, error: unknown): void;
};

export const openLimiter = async ({ windowMs, redisUrl, warn }: Options): Promise<Limiter> => {
  const counting = { windowMs, now: Date.now };
  const inMemory = memoryLimiter(counting);
  if (redisUrl === null) return inMemory;
  // Only a server that uses Redis loads its client.
  const { redisLimiter } = await import('./redis-limiter.ts');
  return redisLimiter({ ...counting, url: redisUrl, fallback: inMemory, warn });
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
  peek(bucket: string, limit: number): Taken;
  /** Takes back what was counted, as long as the same window lasts. */
  giveBack(bucket: string): void;
  countOf(bucket: string): number;
  readonly size: number;
};

export const takenOf = (taken: { count: number; limit: number; resetAtMs: number }): Taken => ({
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
    peek(name, limit) {
      const nowMs = now();
      const bucket = buckets.get(name);
      const known = bucket === undefined || isOver(bucket, nowMs) ? null : bucket;
      return takenOf({ count: (known?.count ?? 0) + 1, limit, resetAtMs: known?.resetAtMs ?? nowMs + windowMs });
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
