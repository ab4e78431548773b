// Keeps our calls to one neighbour within its rate and within a number at once. The count is this process's own: several
// processes share the neighbour's real limit, and its 429 has the last word.

export type Pace = {
  /** Resolves when the call may go, or null when that would be after the deadline or too many wait already. */
  enter(deadline: number): Promise<(() => void) | null>;
  /** The neighbour itself said to wait. */
  holdUntil(time: number): void;
};

export type PaceRules = {
  /** Null: no limit is known. */
  rate: { max: number; windowMs: number } | null;
  concurrencyMax: number;
  queueMax: number;
  now: () => number;
};

type Waiting = { deadline: number; admit: (leave: (() => void) | null) => void; timer: NodeJS.Timeout };

export function createPace({ rate, concurrencyMax, queueMax, now }: PaceRules): Pace {
  const queue: Waiting[] = [];
  let running = 0;
  // When the last calls began, oldest first: never more than the rate allows within any window.
  const starts: number[] = [];
  let heldUntil = 0;
  let isWakePlanned = false;

  // How long until the rate, and the neighbour, would let so many more calls go. A bucket that fills drop by drop would
  // allow nearly twice the rate within the neighbour's first window.
  function waitFor(calls: number): number {
    const held = Math.max(heldUntil - now(), 0);
    if (rate === null) return held;
    while (starts.length > 0 && starts[0]! <= now() - rate.windowMs) starts.shift();
    const over = starts.length + calls - rate.max;
    if (over <= 0) return held;
    const [place, windows] = [(over - 1) % rate.max, 1 + Math.floor((over - 1) / rate.max)];
    return Math.max(held, (starts[place] ?? now()) + windows * rate.windowMs - now());
  }

  function pump(): void {
    while (queue.length > 0 && running < concurrencyMax) {
      const waitMs = waitFor(1);
      if (waitMs > 0) {
        planWake(waitMs);
        return;
      }
      const next = queue.shift()!;
      clearTimeout(next.timer);
      next.admit(start());
    }
  }

  function planWake(waitMs: number): void {
    if (isWakePlanned) return;
    isWakePlanned = true;
    setTimeout(() => {
      isWakePlanned = false;
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
      // Waiting in vain would only make the caller's own time run out.
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
