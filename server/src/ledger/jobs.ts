// The scheduled jobs of the ledger. Each one finds the work that a crash, an unreachable ledger or another process left behind.

import { scheduled } from '../jobs/schedule.ts';
import type { Job } from '../jobs/scheduler.ts';

/** Finishes open transactions. In between, the process that met an unknown outcome retries it. */
export const resumeTransactions = (options: { resumeAll(): Promise<void> }): Job => ({
  ...scheduled('resume-transactions'),
  atStart: true,
  run: options.resumeAll,
});

/** Activates PENDING wallets and pays queued treasury payments. A new user's wallet is activated without waiting for this job. */
export const activateWallets = (options: { sweep(): Promise<void> }): Job => ({
  ...scheduled('activate-wallets'),
  atStart: true,
  run: options.sweep,
});

/** Moves the platform's fees from its wallets into the treasuries. */
export const sweepFees = (sweep: () => Promise<void>): Job => ({
  ...scheduled('sweep-fees'),
  run: sweep,
});
