// Finishes the transactions that a crash, a silent ledger or another process left open. At once when the server starts;
// in between, whoever met the doubt tries again by itself.

import { onTime } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';

export const resumeTransactions = (options: { resumeAll(): Promise<void> }): Job => ({
  ...onTime('resume-transactions'),
  atStart: true,
  run: options.resumeAll,
});
