// Decides when a request to a provider may be sent. The pace keeps our requests within the provider's rate and within a number at once;
// waiting requests start in the order of their priority. The circuit breaker stops requests to a provider that keeps failing. Neither decides anything about money: a request that is held
// back is an unknown.

/**
 * First operations, which a caller waits for and which may move money; then checks of signed webhooks; then everything that can wait or
 * be dropped: hints, polls and probes.
 */
export type Priority = 'operation' | 'check' | 'background';

const RANKS: Readonly<Record<Priority, number>> = { operation: 0, check: 1, background: 2 };

type Pace = {
  /** Resolves when the request may be sent, or with null when that is after the deadline or too many are waiting. */
  enter(request: { deadline: number; priority: Priority }): Promise<(() => void) | null>;
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

type Waiting = { rank: number; admit: (leave: (() => void) | null) => void; timer: NodeJS.Timeout };

/** The waiting requests, by rank and then by arrival. */
function createQueue(sizeMax: number) {
  const entries: Waiting[] = [];

  function drop(entry: Waiting): void {
    clearTimeout(entry.timer);
    entries.splice(entries.indexOf(entry), 1);
    entry.admit(null);
  }

  return {
    get isEmpty() {
      return entries.length === 0;
    },
    /** How many requests would start before a new one of this rank. */
    placeFor: (rank: number): number => entries.findLastIndex((other) => other.rank <= rank) + 1,
    /** False: the queue is full. A full queue drops its last request for one of a higher priority. */
    makeRoom(rank: number): boolean {
      if (entries.length < sizeMax) return true;
      const last = entries.at(-1);
      if (last === undefined || last.rank <= rank) return false;
      drop(last);
      return true;
    },
    add({ rank, admit, patienceMs }: Pick<Waiting, 'rank' | 'admit'> & { patienceMs: number }): void {
      const entry: Waiting = { rank, admit, timer: setTimeout(() => drop(entry), patienceMs) };
      entries.splice(this.placeFor(rank), 0, entry);
    },
    take(): Waiting {
      const next = entries.shift()!;
      clearTimeout(next.timer);
      return next;
    },
  };
}

/** Counts the requests of this process. Several processes share the provider's real limit, and the provider's 429 decides. */
export function createPace({ rate, concurrencyMax, queueMax, now }: PaceRules): Pace {
  const queue = createQueue(queueMax);
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
    while (!queue.isEmpty && running < concurrencyMax) {
      const waitMs = waitFor(1);
      if (waitMs > 0) {
        planPump(waitMs);
        return;
      }
      queue.take().admit(start());
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
    enter({ deadline, priority }) {
      const rank = RANKS[priority];
      const waitMs = waitFor(queue.placeFor(rank) + 1);
      if (queue.isEmpty && running < concurrencyMax && waitMs === 0) return Promise.resolve(start());
      // A request that cannot start before its deadline is refused at once.
      if (now() + waitMs > deadline || !queue.makeRoom(rank)) return Promise.resolve(null);
      return new Promise((admit) => {
        queue.add({ rank, admit, patienceMs: deadline - now() });
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
