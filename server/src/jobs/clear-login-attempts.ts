// Throws away failed logins whose window is over.

import type { Job } from './night-shift.ts';
import { onTime } from './timetable.ts';

export const clearLoginAttempts = (trim: () => Promise<void>): Job => ({
  ...onTime('clear-login-attempts'),
  run: trim,
});
