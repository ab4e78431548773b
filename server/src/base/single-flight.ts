// Runs work for a key at most once at a time. A second caller gets the result of the running work.

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
