// The circuit breaker stops requests to a provider that keeps failing. It decides nothing about money: a request that is held back is an
// unknown.

type Breaker = {
  /** False: do not send now. True after the pause reserves the one trial request: report its outcome. */
  admit(): boolean;
  report(outcome: 'alive' | 'failing' | 'undecided'): void;
  readonly state: 'closed' | 'open' | 'half-open';
};

type BreakerRules = {
  /** This many failing requests in a row open the breaker. */
  failuresMax: number;
  pauseMs: number;
  now: () => number;
};

/** Opens after failures in a row. After a pause one request is let through, and its outcome decides. */
export function createBreaker({ failuresMax, pauseMs, now }: BreakerRules): Breaker {
  let failures = 0;
  let openedAt: number | null = null;
  let trying = false;

  const isPaused = () => openedAt !== null && now() - openedAt < pauseMs;

  return {
    get state() {
      if (openedAt === null) return 'closed';
      return isPaused() ? 'open' : 'half-open';
    },
    admit() {
      if (openedAt === null) return true;
      if (isPaused() || trying) return false;
      trying = true;
      return true;
    },
    report(outcome) {
      trying = false;
      if (outcome === 'undecided') return;
      if (outcome === 'alive') {
        failures = 0;
        openedAt = null;
        return;
      }
      failures++;
      // Requests that were in flight when the breaker opened end late and must not lengthen the pause.
      if (openedAt !== null && isPaused()) return;
      if (failures >= failuresMax) openedAt = now();
    },
  };
}
