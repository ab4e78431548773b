// Brings the platform's fees from its wallets into the treasuries.

import type { Job } from './night-shift.ts';
import { onTime } from './timetable.ts';

export const sweepFees = (sweep: () => Promise<void>): Job => ({
  ...onTime('sweep-fees'),
  run: sweep,
});
