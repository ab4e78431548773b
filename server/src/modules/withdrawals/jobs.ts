// Looks at withdrawals whose webhook never came, and carries on those whose outcome was not known. Which are due, and how
// many of them, is decided where they are kept.

import { onTime } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';

export const refreshWithdrawals = ({ refreshDue }: { refreshDue(): Promise<void> }): Job => ({
  ...onTime('refresh-withdrawals'),
  run: refreshDue,
});
