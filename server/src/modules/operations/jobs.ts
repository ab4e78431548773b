// Carries on what a crash, a silent provider or another process left open, once nobody has been at work on it for a while.
// When a server starts it takes up all of it at once, without waiting for this.

import { onTime } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';

export const resumeOperations = ({ resumeDue }: { resumeDue(): Promise<void> }): Job => ({
  ...onTime('resume-operations'),
  run: resumeDue,
});
