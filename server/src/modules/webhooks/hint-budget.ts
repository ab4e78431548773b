// The budget of hints: how many unsigned escrow webhooks this process looks at in a minute. Anyone can send one, so a hint is counted
// before it costs a query or a request to an outside system.

const WINDOW_MS = 60_000;

/** Returns false when the hints of the last minute have used the budget up. */
export const createHintBudget = (perMinute: number, nowMs: () => number = () => performance.now()): (() => boolean) => {
  // Times of the hints within the last minute, oldest first.
  const taken: number[] = [];
  return () => {
    const since = nowMs() - WINDOW_MS;
    while (taken.length > 0 && taken[0]! <= since) taken.shift();
    if (taken.length >= perMinute) return false;
    taken.push(nowMs());
    return true;
  };
};
