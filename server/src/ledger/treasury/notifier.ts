// Waits for something that this process or another one will do: this process notifies, and for the others
// the database is read again every quarter of a second.

type Wait<T> = {
  readonly key: string;
  readonly withinMs: number;
  /** Null: not yet. */
  look(): Promise<T | null>;
};

export type Notifier = {
  notify(keys: Iterable<string>): void;
  /** Null when the time is over. */
  waitFor<T>(wait: Wait<T>): Promise<T | null>;
};

const LOOK_EVERY_MS = 250;

export const createNotifier = (): Notifier => {
  const listeners = new Map<string, Set<() => void>>();

  const rung = (key: string, ms: number): Promise<void> =>
    new Promise((resolve) => {
      const own = listeners.get(key) ?? new Set();
      listeners.set(key, own);
      const wake = (): void => {
        clearTimeout(timer);
        own.delete(wake);
        if (own.size === 0) listeners.delete(key);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      own.add(wake);
    });

  return {
    notify(keys) {
      for (const key of keys) for (const wake of [...(listeners.get(key) ?? [])]) wake();
    },
    async waitFor({ key, withinMs, look }) {
      const end = performance.now() + withinMs;
      for (;;) {
        // Listening begins before looking, so that what happens in between is heard.
        const heard = rung(key, Math.max(Math.min(LOOK_EVERY_MS, end - performance.now()), 1));
        const found = await look();
        if (found !== null) return found;
        if (performance.now() >= end) return null;
        await heard;
      }
    },
  };
};
