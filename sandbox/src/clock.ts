// The clock of the simulators: real time plus an offset that control moves forward, never back. A planned task runs when the clock
// passes its time, by waiting or by moving the clock.

import type { Slice } from './state.ts';

export type Clock = {
  // Milliseconds since 1970.
  now(): number;
  iso(): string;
  // Runs once when the clock reaches that time. Not kept over a restart: the simulators plan again from their state.
  at(timeMs: number, run: () => void | Promise<void>): { cancel(): void };
  // Work of the present: the clock is not moved before it ends.
  during<T>(work: Promise<T>): Promise<T>;
  // Stops at every planned time on the way, runs its task and waits for it.
  advance(ms: number): Promise<void>;
  // Removes every plan.
  clear(): void;
};

type Plan = { timeMs: number; run: () => void | Promise<void> };

// setTimeout cannot wait longer than this.
const WAIT_MAX_MS = 2 ** 31 - 1;

export function startClock({ slice, log }: { slice: Slice; log: (sentence: string) => void }): Clock {
  const kept = slice.table<number>('clock');
  // Earliest first. Most plans are for later than all others, so adding is cheap.
  const plans: Plan[] = [];
  let timer: NodeJS.Timeout | undefined;
  const present = new Set<Promise<unknown>>();
  let movers = 0;
  let moving: Promise<void> = Promise.resolve();

  const now = () => Date.now() + (kept.get('offsetMs') ?? 0);
  const move = (ms: number) => {
    if (ms > 0) kept.set('offsetMs', (kept.get('offsetMs') ?? 0) + ms);
  };
  const run = async (plan: Plan) => {
    try {
      await plan.run();
    } catch (error) {
      log(`A planned step of the sandbox failed: ${error instanceof Error ? error.stack : error}`);
    }
  };

  // While the clock is being moved, the code that moves it runs the due tasks in order.
  const wait = () => {
    clearTimeout(timer);
    const next = plans[0];
    if (next === undefined || movers > 0) return;
    timer = setTimeout(runDue, Math.min(Math.max(next.timeMs - now(), 0), WAIT_MAX_MS));
    timer.unref();
  };
  const runDue = () => {
    while (plans[0] !== undefined && plans[0].timeMs <= now()) void run(plans.shift()!);
    wait();
  };
  const settle = () => Promise.allSettled(present);
  const moveBy = async (ms: number) => {
    await settle();
    const target = now() + ms;
    while (plans[0] !== undefined && plans[0].timeMs <= target) {
      const plan = plans.shift()!;
      move(plan.timeMs - now());
      await run(plan);
      await settle();
    }
    move(target - now());
  };

  return {
    now,
    iso: () => new Date(now()).toISOString(),
    at(timeMs, run) {
      const plan = { timeMs, run };
      const place = plans.findLastIndex((other) => other.timeMs <= timeMs) + 1;
      plans.splice(place, 0, plan);
      if (place === 0) wait();
      return {
        cancel() {
          const index = plans.indexOf(plan);
          if (index >= 0) plans.splice(index, 1);
        },
      };
    },
    during(work) {
      const ended = () => void present.delete(work);
      present.add(work);
      work.then(ended, ended);
      return work;
    },
    advance(ms) {
      movers++;
      clearTimeout(timer);
      moving = moving
        .then(() => moveBy(ms))
        .finally(() => {
          movers--;
          wait();
        });
      return moving;
    },
    clear() {
      plans.length = 0;
      clearTimeout(timer);
    },
  };
}
