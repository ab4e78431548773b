// Looks at withdrawals whose webhook never came, and carries on those whose outcome was not known. Which are due, and how
// many of them, is decided where they are kept.

import type { Job } from './night-shift.ts';
import { onTime } from './timetable.ts';

export const refreshWithdrawals = ({ refreshDue }: { refreshDue(): Promise<void> }): Job => ({
  ...onTime('refresh-withdrawals'),
  run: refreshDue,
});
