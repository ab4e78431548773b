// The open connections of the event stream: counts them, pings them, and checks again and again that their keys are still valid.

import { DomainError } from '../base/domain-error.ts';
import { type Clock, formatInstant } from '../base/instant.ts';
import { pingPacket } from './packet.ts';
import { end, type Reader, sendIfIdle } from './reader.ts';

export type KeyCheck = {
  /** True when the credential that opened a stream would still open one. */
  stillValid(credential: string): boolean | Promise<boolean>;
  onTrouble(message: string, error: unknown): void;
  readonly everyMs: number;
};

/** Every connection is pinged once per interval, but not all in the same instant. */
const PING_SLICES = 20;
const RETRY_AFTER_S = 5;

type PingOptions = { readonly pingMs: number; readonly clock: Clock; cutOff(reader: Reader): void };

/** Readers in as many sets as there are pings per interval. */
export const createPings = ({ pingMs, clock, cutOff }: PingOptions) => {
  const slices = Array.from({ length: PING_SLICES }, () => new Set<Reader>());
  let added = 0;
  let turn = 0;

  const pingNextSlice = (): void => {
    const readers = slices[turn++ % PING_SLICES]!;
    if (readers.size === 0) return;
    const packet = pingPacket(formatInstant(clock()));
    const waitingMax = performance.now() - pingMs;
    for (const reader of readers) {
      // The reader has not accepted a replayed page for a whole interval.
      if (reader.waitingSince > 0 && reader.waitingSince < waitingMax) cutOff(reader);
      else sendIfIdle(reader, packet);
    }
  };
  const timer = setInterval(pingNextSlice, pingMs / PING_SLICES);
  timer.unref();

  return {
    /** The set for the next reader. */
    sliceForNext: (): Set<Reader> => slices[added++ % PING_SLICES]!,
    readers: (): Reader[] => slices.flatMap((readers) => [...readers]),
    stop: (): void => clearInterval(timer),
  };
};

/**
 * Ends the streams of keys that are no longer valid. A key is checked when a stream opens, but a stream may outlive its key. So every
 * credential with an open stream is checked at an interval, and at once when a key is known to have changed.
 */
export const checkKeys = (readersNow: () => Reader[], { stillValid, onTrouble, everyMs }: KeyCheck) => {
  let isRunning = false;
  let isDue = false;

  const isStillValid = async (credential: string): Promise<boolean> => {
    try {
      return await stillValid(credential);
    } catch (error) {
      // A failed check is not a refusal: the next check decides.
      onTrouble('a key could not be checked', error);
      return true;
    }
  };

  const recheck = async (): Promise<void> => {
    isDue = true;
    if (isRunning) return;
    isRunning = true;
    while (isDue) {
      isDue = false;
      for (const [credential, readers] of Map.groupBy(readersNow(), (reader) => reader.credential)) {
        if (!(await isStillValid(credential))) for (const reader of readers) end(reader);
      }
    }
    isRunning = false;
  };

  const timer = setInterval(recheck, everyMs);
  timer.unref();

  return { recheck, stop: (): void => clearInterval(timer) };
};

type ConnectionLimits = {
  /** Of all connections. */
  readonly max: number;
  readonly perKeyMax: number;
  readonly perMarketplaceMax: number;
};

type Opening = { readonly keyId: string; readonly marketplaceId: string };

/** Counts the connections of each name. */
const createCounts = () => {
  const counts = new Map<string, number>();
  return {
    of: (name: string): number => counts.get(name) ?? 0,
    add(name: string, change: 1 | -1): void {
      const count = (counts.get(name) ?? 0) + change;
      if (count === 0) counts.delete(name);
      else counts.set(name, count);
    },
  };
};

/** Counts connections and refuses more than the limits allow, and all of them once it is closed. */
export const createConnectionLimit = ({ max, perKeyMax, perMarketplaceMax }: ConnectionLimits) => {
  const ofKeys = createCounts();
  const ofMarketplaces = createCounts();
  let count = 0;
  let isClosed = false;
  const refuse = (): never => {
    throw new DomainError('SERVICE_UNAVAILABLE', { details: { retryAfter: RETRY_AFTER_S } });
  };
  const refuseBy = (limitedBy: 'key' | 'marketplace', limit: number): never => {
    throw new DomainError('TOO_MANY_STREAMS', { details: { limitedBy, limit, retryAfter: RETRY_AFTER_S } });
  };
  return {
    get count() {
      return count;
    },
    /** Returns the function to call once when the connection has ended. */
    enter({ keyId, marketplaceId }: Opening): () => void {
      if (isClosed || count >= max) refuse();
      if (ofKeys.of(keyId) >= perKeyMax) refuseBy('key', perKeyMax);
      if (ofMarketplaces.of(marketplaceId) >= perMarketplaceMax) refuseBy('marketplace', perMarketplaceMax);
      count++;
      ofKeys.add(keyId, 1);
      ofMarketplaces.add(marketplaceId, 1);
      return () => {
        count--;
        ofKeys.add(keyId, -1);
        ofMarketplaces.add(marketplaceId, -1);
      };
    },
    refuseWhenClosed(): void {
      if (isClosed) refuse();
    },
    close(): void {
      isClosed = true;
    },
  };
};
