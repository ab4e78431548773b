// Takes up wallets that are not active yet and treasuries that have something to pay, where nobody is at work on them any
// more. A new user's wallet does not wait for this: it is begun when the user is created.

import { onTime } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';

export const activateWallets = (options: { sweep(): Promise<void> }): Job => ({
  ...onTime('activate-wallets'),
  atStart: true,
  run: options.sweep,
});
