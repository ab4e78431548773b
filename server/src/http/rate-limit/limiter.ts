// Rate limits: so many requests per bucket in a window of fixed length that starts with the first request. Counted in Redis where all
// processes share one count, otherwise in this process.

import { isIPv6 } from 'node:net';
import { memoryLimiter } from './memory.ts';
import { redisLimiter } from './redis.ts';

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
