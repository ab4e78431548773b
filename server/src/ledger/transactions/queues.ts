// Runs one task at a time per key, first come first served, within this process. The database excludes other processes.

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
