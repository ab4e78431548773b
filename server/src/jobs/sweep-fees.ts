// Brings the platform's fees from its wallets into the treasuries.

import type { Job } from './night-shift.ts';

export const sweepFees = (sweep: () => Promise<void>): Job => ({
  name: 'sweep-fees',
  schedule: '3-59/10 * * * *',
  run: sweep,
});
