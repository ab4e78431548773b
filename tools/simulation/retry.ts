// Waiting with a bound, but a longer one than a single thing needs: what gave up is taken up again by a job of every minute,
// and a simulation may run beside others on a busy machine.

import { until } from '../until.ts';

const TRIES = 3;

export const retryUntil = async (holds: () => boolean | Promise<boolean>, what: string): Promise<void> => {
  for (let tries = 1; ; tries++) {
    try {
      return await until(holds, what);
    } catch (error) {
      if (tries === TRIES || !(error instanceof Error) || !error.message.startsWith(what)) throw error;
    }
  }
};
