// Stops asking a neighbour that keeps failing, so that a dead one costs nothing but its own work. After a pause one call
// is let through; its outcome decides. Never decides anything about money: a call it holds back is an unknown.

export type Breaker = {
  /** False: do not ask now. True reserves the one trial when the pause is over; report how it went. */
  admit(): boolean;
  report(outcome: 'alive' | 'failing' | 'undecided'): void;
  readonly state: 'closed' | 'open' | 'half-open';
};

export type BreakerRules = {
  /** So many failing calls in a row open it. */
  failuresMax: number;
  pauseMs: number;
  now: () => number;
};

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
      // Calls that were under way when it opened come back late and must not lengthen the pause.
      if (openedAt !== null && isPaused()) return;
      if (failures >= failuresMax) openedAt = now();
    },
  };
}
