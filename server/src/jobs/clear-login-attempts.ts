// Throws away failed logins whose window is over.

import type { Job } from './night-shift.ts';

export const clearLoginAttempts = (trim: () => Promise<void>): Job => ({
  name: 'clear-login-attempts',
  schedule: '*/10 * * * *',
  run: trim,
});
