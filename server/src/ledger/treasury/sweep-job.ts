// Brings the platform's fees from its wallets into the treasuries.

import { onTime } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';

export const sweepFees = (sweep: () => Promise<void>): Job => ({
  ...onTime('sweep-fees'),
  run: sweep,
});
