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

type Plans = {
  first(): Plan | undefined;
  removeFirst(): Plan;
  // True when the plan is now the first one.
  add(plan: Plan): boolean;
  remove(plan: Plan): void;
  clear(): void;
};

// setTimeout cannot wait longer than this.
const WAIT_MAX_MS = 2 ** 31 - 1;

export function startClock({ slice, log }: { slice: Slice; log: (sentence: string) => void }): Clock {
  const kept = slice.table<number>('clock');
  const plans = keepPlans();
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
    const next = plans.first();
    if (next === undefined || movers > 0) return;
    timer = setTimeout(runDue, Math.min(Math.max(next.timeMs - now(), 0), WAIT_MAX_MS));
    timer.unref();
  };
  const runDue = () => {
    while (isDue(plans.first(), now())) void run(plans.removeFirst());
    wait();
  };
  const settle = () => Promise.allSettled(present);
  const moveBy = async (ms: number) => {
    await settle();
    const target = now() + ms;
    while (isDue(plans.first(), target)) {
      const plan = plans.removeFirst();
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
      if (plans.add(plan)) wait();
      return { cancel: () => plans.remove(plan) };
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
      plans.clear();
      clearTimeout(timer);
    },
  };
}

const isDue = (plan: Plan | undefined, timeMs: number): boolean => plan !== undefined && plan.timeMs <= timeMs;

// Earliest first. Most plans are for later than all others, so adding is cheap.
const keepPlans = (): Plans => {
  const plans: Plan[] = [];
  return {
    first: () => plans[0],
    removeFirst: () => plans.shift()!,
    add(plan) {
      const place = plans.findLastIndex((other) => other.timeMs <= plan.timeMs) + 1;
      plans.splice(place, 0, plan);
      return place === 0;
    },
    remove(plan) {
      const index = plans.indexOf(plan);
      if (index >= 0) plans.splice(index, 1);
    },
    clear() {
      plans.length = 0;
    },
  };
};
