// Limits how many pieces of work run at once and how many wait, first come first served. Without it a flood of one kind of request
// (logins, reconnects) would take memory, processors and database connections from all others.

import { DomainError } from './domain-error.ts';

export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>;

const RETRY_AFTER_S = 1;

/** Without `waitingMax` any number may wait. */
export const createGate = ({ atOnce, waitingMax }: { atOnce: number; waitingMax?: number }): Gate => {
  const waiting: (() => void)[] = [];
  let running = 0;

  const enter = async (): Promise<void> => {
    if (running < atOnce) {
      running++;
      return;
    }
    if (waitingMax !== undefined && waiting.length >= waitingMax) {
      throw new DomainError('SERVICE_UNAVAILABLE', { details: { retryAfter: RETRY_AFTER_S } });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  };

  // The place passes directly to the next in line, so that a new caller cannot take it.
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
