// Tells waiting calls when their record may have changed. All waiting calls of a client share one event stream, which is open only
// while a call waits. Without a stream they look at their records from time to time.

import { type HoldfastEvent, openEvents } from './events.ts';
import type { Transport } from './transport.ts';

/** The resources whose records can be waited for, and the events that change an order. */
const RESOURCES = ['Order', 'Escrow', 'Dispute', 'TopUp', 'Withdrawal', 'Approval'] as const;

/** Some changes have no event, such as a failed operation, so a record is also read at this interval. */
const LOOK_LIVE_MS = 10_000;
/** Without a stream the reads are the only source. */
const LOOK = { firstMs: 500, mostMs: 5_000 };

export type Follower = {
  /** Resolves when it is time to read the record again. Rejects with the reason of the signal. */
  next(signal: AbortSignal): Promise<void>;
  stop(): void;
};

export type Changes = {
  /** Follow first and read afterwards: then no change between both is missed. */
  follow(concerns: (event: HoldfastEvent) => boolean): Follower;
};

type Sleeper = {
  readonly concerns: (event: HoldfastEvent) => boolean;
  wake(): void;
};

export const createChanges = (transport: Transport): Changes => {
  const sleepers = new Set<Sleeper>();
  let stream: AbortController | null = null;
  let isLive = false;

  const read = async (own: AbortController): Promise<void> => {
    const isCurrent = () => stream === own;
    const events = openEvents(transport, {
      resources: RESOURCES,
      signal: own.signal,
      onState({ state }) {
        if (!isCurrent()) return;
        isLive = state === 'live';
        // What changed before the stream was live has no event on it.
        if (isLive) for (const each of sleepers) each.wake();
      },
    });
    try {
      for await (const event of events) {
        for (const each of sleepers) if (each.concerns(event)) each.wake();
      }
    } catch {
      // A stream that the server refuses for good is no failure of the wait: the records are read at an interval.
    } finally {
      if (isCurrent()) {
        stream = null;
        isLive = false;
      }
    }
  };

  return {
    follow(concerns) {
      const sleep = createSleep(() => isLive);
      const sleeper = { concerns, wake: sleep.wake };
      sleepers.add(sleeper);
      if (isLive) sleep.wake();
      if (stream === null) {
        stream = new AbortController();
        void read(stream);
      }
      return {
        next: sleep.next,
        stop() {
          sleepers.delete(sleeper);
          if (sleepers.size > 0) return;
          stream?.abort();
          stream = null;
          isLive = false;
        },
      };
    },
  };
};

/** Sleeps until it is woken, or until it is time to look without being woken. */
const createSleep = (isLive: () => boolean) => {
  let isWoken = false;
  let looks = 0;
  let end: (() => void) | null = null;

  const lookMs = (): number => (isLive() ? LOOK_LIVE_MS : Math.min(LOOK.firstMs * 2 ** looks++, LOOK.mostMs));

  const nap = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const stop = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        end = null;
        resolve();
      };
      const timer = setTimeout(stop, lookMs());
      signal.addEventListener('abort', stop, { once: true });
      end = stop;
    });

  return {
    wake(): void {
      isWoken = true;
      end?.();
    },
    async next(signal: AbortSignal): Promise<void> {
      signal.throwIfAborted();
      if (!isWoken) await nap(signal);
      isWoken = false;
      signal.throwIfAborted();
    },
  };
};
