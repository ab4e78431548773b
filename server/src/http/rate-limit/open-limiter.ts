// Opens a limiter: in Redis where all processes are to count together, else in this process.

import type { Limiter } from './limiter.ts';
import { memoryLimiter } from './memory.ts';
import { redisLimiter } from './redis.ts';

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
