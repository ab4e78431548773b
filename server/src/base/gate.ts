// Lets only so many pieces of work run at once, and so many wait. For work that takes much memory or a whole processor:
// without it a crowd at one door would starve everybody at the others.

import { Fault } from './domain-error.ts';

export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>;

const RETRY_AFTER_S = 1;

export const createGate = ({ atOnce, waitingMax }: { atOnce: number; waitingMax: number }): Gate => {
  const waiting: (() => void)[] = [];
  let running = 0;

  const enter = (): Promise<void> | null => {
    if (running < atOnce) {
      running++;
      return null;
    }
    if (waiting.length >= waitingMax)
      throw new Fault('SERVICE_UNAVAILABLE', { details: { retryAfter: RETRY_AFTER_S } });
    return new Promise((resolve) => waiting.push(resolve));
  };

  // The place goes to the next in line, so that nobody can slip in between.
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else running--;
  };

  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
};
