// Gives back what was set aside for withdrawals that nobody committed in time.

import type { Job } from './night-shift.ts';

export const expireWithdrawals = ({ expireDue }: { expireDue(): Promise<void> }): Job => ({
  name: 'expire-withdrawals',
  schedule: '* * * * *',
  atStart: true,
  run: expireDue,
});
