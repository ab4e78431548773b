// How often the page asks again while events keep coming. The first event of a burst is followed at once; after that each
// kind of answer waits its turn, because a key has a rate limit and a proof reads every posting.

type Pace = {
  /** Asks again now, or as soon as its turn has come. */
  ask(name: string): void;
  stop(): void;
};

const USUAL_MS = 2_500;

const SLOWER_MS: Readonly<Record<string, number>> = {
  reports: 5_000,
  proof: 30_000,
};

export const createPace = (again: (name: string) => void): Pace => {
  const lastMs = new Map<string, number>();
  const waiting = new Map<string, number>();

  const go = (name: string): void => {
    waiting.delete(name);
    lastMs.set(name, performance.now());
    again(name);
  };

  return {
    ask(name) {
      if (waiting.has(name)) return;
      const since = performance.now() - (lastMs.get(name) ?? Number.NEGATIVE_INFINITY);
      const rest = (SLOWER_MS[name] ?? USUAL_MS) - since;
      if (rest <= 0) go(name);
      else
        waiting.set(
          name,
          window.setTimeout(() => go(name), rest),
        );
    },
    stop() {
      for (const timer of waiting.values()) window.clearTimeout(timer);
      waiting.clear();
    },
  };
};
