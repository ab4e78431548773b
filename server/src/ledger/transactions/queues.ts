// One thing at a time per key, in the order of asking, within this process. Other processes are kept apart by the
// database.

export type Queues = {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing is at work or waiting any more. */
  idle(): Promise<void>;
};

export const createQueues = (): Queues => {
  const last = new Map<string, Promise<unknown>>();
  return {
    run(key, work) {
      const before = last.get(key) ?? Promise.resolve();
      // The one before may have failed: that is its own caller's matter.
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
