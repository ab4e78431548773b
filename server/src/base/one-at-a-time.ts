// Runs at most one piece of work per key at a time, within this process. In a single flight a second caller gets the result of the
// running work; in a queue it waits for its turn. The database excludes other processes.

export type SingleFlight<Result> = {
  run(key: string, work: () => Promise<Result>): Promise<Result>;
  isRunning(key: string): boolean;
  /** Waits until the work of this key has ended, whatever its outcome. */
  ended(key: string): Promise<void>;
  /** Waits until all running work has ended, whatever its outcome. */
  allEnded(): Promise<void>;
};

export const createSingleFlight = <Result>(): SingleFlight<Result> => {
  const running = new Map<string, Promise<Result>>();
  return {
    run(key, work) {
      const known = running.get(key);
      if (known) return known;
      const started = work().finally(() => running.delete(key));
      running.set(key, started);
      return started;
    },
    isRunning: (key) => running.has(key),
    async ended(key) {
      await Promise.allSettled([running.get(key)]);
    },
    async allEnded() {
      await Promise.allSettled(running.values());
    },
  };
};

/** First come first served. */
export type Queues = {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Resolves when no task is running or waiting. */
  idle(): Promise<void>;
};

export const createQueues = (): Queues => {
  const last = new Map<string, Promise<unknown>>();
  return {
    run(key, work) {
      const before = last.get(key) ?? Promise.resolve();
      // The previous task may have failed: its own caller handles that.
      const turn = before.then(work, work);
      const settled = turn.then(
        () => {},
        () => {},
      );
      last.set(key, settled);
      void settled.then(() => {
        if (last.get(key) === settled) last.delete(key);
      });
      return turn;
    },
    async idle() {
      while (last.size > 0) await Promise.all(last.values());
    },
  };
};
