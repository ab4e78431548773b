// The job that polls top-ups whose webhook never came, and repeats requests whose answer was lost. poll-times.ts decides which
// are due. A starting server polls once on its own, as soon as payers can return to it.

import { scheduled } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';

export const refreshTopUps = ({ refreshDue }: { refreshDue(): Promise<void> }): Job => ({
  ...scheduled('refresh-topups'),
  run: refreshDue,
});
