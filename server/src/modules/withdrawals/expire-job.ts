// Gives back what was set aside for withdrawals that nobody committed in time.

import { onTime } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';

export const expireWithdrawals = ({ expireDue }: { expireDue(): Promise<void> }): Job => ({
  ...onTime('expire-withdrawals'),
  atStart: true,
  run: expireDue,
});
