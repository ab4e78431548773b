// Counts requests in this process. It never holds more than a fixed number of buckets.

import type { Taken } from './limiter.ts';

const BUCKETS_MAX = 100_000;

type Bucket = { count: number; resetAtMs: number };

export type MemoryLimiter = { take(bucket: string, limit: number): Taken; readonly size: number };

export const takenOf = (taken: { count: number; limit: number; resetAtMs: number }): Taken => ({
  allowed: taken.count <= taken.limit,
  limit: taken.limit,
  remaining: taken.count < taken.limit ? taken.limit - taken.count : 0,
  resetAtMs: taken.resetAtMs,
});

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
  };
};
