// Gives back what was set aside for withdrawals that nobody committed in time.

import type { Job } from './night-shift.ts';
import { onTime } from './timetable.ts';

export const expireWithdrawals = ({ expireDue }: { expireDue(): Promise<void> }): Job => ({
  ...onTime('expire-withdrawals'),
  atStart: true,
  run: expireDue,
});
