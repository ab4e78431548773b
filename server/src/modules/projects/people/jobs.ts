// Throws away failed logins whose window is over.

import { onTime } from '../../../jobs/schedule.ts';
import type { Job } from '../../../jobs/scheduler.ts';

export const clearLoginAttempts = (trim: () => Promise<void>): Job => ({
  ...onTime('clear-login-attempts'),
  run: trim,
});
