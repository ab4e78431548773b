// Waits for a change by this process or another one. This process notifies the waiting code in memory. A change by another process is
// found by reading the database every quarter of a second.

type Wait<T> = {
  readonly key: string;
  readonly withinMs: number;
  /** Null: not yet. */
  read(): Promise<T | null>;
};

export type LocalNotifier = {
  notify(keys: Iterable<string>): void;
  /** Null when the time is over. */
  waitFor<T>(wait: Wait<T>): Promise<T | null>;
};

const READ_EVERY_MS = 250;

export const createLocalNotifier = (): LocalNotifier => {
  const listeners = new Map<string, Set<() => void>>();

  const notified = (key: string, ms: number): Promise<void> =>
    new Promise((resolve) => {
      const own = listeners.get(key) ?? new Set();
      listeners.set(key, own);
      const resume = (): void => {
        clearTimeout(timer);
        own.delete(resume);
        if (own.size === 0) listeners.delete(key);
        resolve();
      };
      const timer = setTimeout(resume, ms);
      own.add(resume);
    });

  return {
    notify(keys) {
      for (const key of keys) for (const resume of [...(listeners.get(key) ?? [])]) resume();
    },
    async waitFor({ key, withinMs, read }) {
      const end = performance.now() + withinMs;
      for (;;) {
        // Listen before reading, so that a change in between is not missed.
        const signal = notified(key, Math.max(Math.min(READ_EVERY_MS, end - performance.now()), 1));
        const found = await read();
        if (found !== null) return found;
        if (performance.now() >= end) return null;
        await signal;
      }
    },
  };
};
