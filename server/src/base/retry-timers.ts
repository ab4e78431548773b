// Runs work again later, with a longer wait after each failure. One timer per key, in this process only. The work is stored in the
// database, and a job finds work without a timer.

import { type BackOff, backOffMs } from './wait.ts';

export type RetryTimers<Item> = {
  /** Runs the item again after the next wait. */
  retryLater(item: Item): void;
  /** Runs the item after exactly this time, without counting it as a failure. */
  retryAfter(item: Item, waitMs: number): void;
  /** Runs the item now if it waits here. */
  retryNow(item: Item): void;
  /** The item has ended: forgets its timer and its failures. */
  clear(item: Item): void;
  /** True when the wait no longer grows. */
  isAtMaximum(item: Item): boolean;
  close(): void;
};

type Options<Item> = {
  readonly backOff: BackOff;
  /** After so many failures in a row this process leaves the item to a job. */
  readonly failuresMax?: number;
  keyOf(item: Item): string;
  /** Must not reject. */
  run(item: Item): Promise<unknown>;
};

type Entry = { timer: NodeJS.Timeout | null; failures: number };

export const createRetryTimers = <Item>(options: Options<Item>): RetryTimers<Item> => {
  const { backOff, failuresMax = Number.POSITIVE_INFINITY, keyOf, run } = options;
  const entries = new Map<string, Entry>();
  let isClosed = false;

  const schedule = (item: Item, { entry, waitMs }: { entry: Entry; waitMs: number }): void => {
    const key = keyOf(item);
    clearTimeout(entry.timer ?? undefined);
    const start = (): void => {
      entry.timer = null;
      void run(item);
    };
    entry.timer = setTimeout(start, waitMs).unref();
    entries.set(key, entry);
  };
  const entryOf = (item: Item): Entry => entries.get(keyOf(item)) ?? { timer: null, failures: 0 };
  const clear = (item: Item): void => {
    const key = keyOf(item);
    clearTimeout(entries.get(key)?.timer ?? undefined);
    entries.delete(key);
  };

  return {
    retryLater(item) {
      if (isClosed) return;
      const entry = entryOf(item);
      entry.failures++;
      if (entry.failures > failuresMax) clear(item);
      else schedule(item, { entry, waitMs: backOffMs(backOff, entry.failures) });
    },
    retryAfter(item, waitMs) {
      if (!isClosed) schedule(item, { entry: entryOf(item), waitMs });
    },
    retryNow(item) {
      const entry = entries.get(keyOf(item));
      if (entry?.timer && !isClosed) schedule(item, { entry, waitMs: 0 });
    },
    clear,
    isAtMaximum(item) {
      const { failures } = entryOf(item);
      return failures > 0 && backOffMs(backOff, failures) >= backOff.maxMs;
    },
    close() {
      isClosed = true;
      for (const { timer } of entries.values()) clearTimeout(timer ?? undefined);
      entries.clear();
    },
  };
};
