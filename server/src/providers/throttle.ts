// Decides when a request to a provider may be sent. The pace keeps our requests within the provider's rate and within a number at once.
// The circuit breaker stops requests to a provider that keeps failing. Neither decides anything about money: a request that is held
// back is an unknown.

type Pace = {
  /** Resolves when the request may be sent, or with null when that is after the deadline or too many are waiting. */
  enter(deadline: number): Promise<(() => void) | null>;
  /** The provider asked us to wait. */
  holdUntil(time: number): void;
};

export type PaceRules = {
  /** Null: no known limit. */
  rate: { max: number; windowMs: number } | null;
  concurrencyMax: number;
  queueMax: number;
  now: () => number;
};

type Waiting = { deadline: number; admit: (leave: (() => void) | null) => void; timer: NodeJS.Timeout };

/** Counts the requests of this process. Several processes share the provider's real limit, and the provider's 429 decides. */
export function createPace({ rate, concurrencyMax, queueMax, now }: PaceRules): Pace {
  const queue: Waiting[] = [];
  let running = 0;
  // Start times of the last requests, oldest first: never more than the rate allows within any window.
  const starts: number[] = [];
  let heldUntil = 0;
  let isPumpPlanned = false;

  // How long until the rate, and the provider, allow this many more requests. A token bucket would allow nearly twice the rate
  // within the provider's first window.
  function waitFor(calls: number): number {
    const held = Math.max(heldUntil - now(), 0);
    if (rate === null) return held;
    while (starts.length > 0 && starts[0]! <= now() - rate.windowMs) starts.shift();
    const over = starts.length + calls - rate.max;
    if (over <= 0) return held;
    const place = (over - 1) % rate.max;
    const windows = 1 + Math.floor((over - 1) / rate.max);
    return Math.max(held, (starts[place] ?? now()) + windows * rate.windowMs - now());
  }

  function pump(): void {
    while (queue.length > 0 && running < concurrencyMax) {
      const waitMs = waitFor(1);
      if (waitMs > 0) {
        planPump(waitMs);
        return;
      }
      const next = queue.shift()!;
      clearTimeout(next.timer);
      next.admit(start());
    }
  }

  function planPump(waitMs: number): void {
    if (isPumpPlanned) return;
    isPumpPlanned = true;
    setTimeout(() => {
      isPumpPlanned = false;
      pump();
    }, waitMs).unref();
  }

  function start(): () => void {
    running++;
    if (rate !== null) starts.push(now());
    let left = false;
    return () => {
      if (left) return;
      left = true;
      running--;
      pump();
    };
  }

  return {
    enter(deadline) {
      const waitMs = waitFor(queue.length + 1);
      if (queue.length === 0 && running < concurrencyMax && waitMs === 0) return Promise.resolve(start());
      // A request that cannot start before its deadline is refused at once.
      if (queue.length >= queueMax || now() + waitMs > deadline) return Promise.resolve(null);
      return new Promise((admit) => {
        const entry: Waiting = {
          deadline,
          admit,
          timer: setTimeout(() => {
            queue.splice(queue.indexOf(entry), 1);
            admit(null);
          }, deadline - now()),
        };
        queue.push(entry);
        pump();
      });
    },
    holdUntil(time) {
      heldUntil = Math.max(heldUntil, time);
    },
  };
}

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
