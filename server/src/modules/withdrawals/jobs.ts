// The jobs of withdrawals: one polls those whose webhook never came and retries those with an unknown outcome, one cancels those
// that were not committed in time. poll-times.ts decides which are due.

import { scheduled } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';

export const refreshWithdrawals = ({ refreshDue }: { refreshDue(): Promise<void> }): Job => ({
  ...scheduled('refresh-withdrawals'),
  run: refreshDue,
});

/** Returns the reserved money of withdrawals that were not committed in time. */
export const expireWithdrawals = ({ expireDue }: { expireDue(): Promise<void> }): Job => ({
  ...scheduled('expire-withdrawals'),
  atStart: true,
  run: expireDue,
});
