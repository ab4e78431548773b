// Looks at top-ups whose webhook never came, and carries on those whose first answer was lost. Which are due, and how many
// of them, is decided where they are kept. A server that starts looks by itself, as soon as payers can come back to it.

import { onTime } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';

export const refreshTopUps = ({ refreshDue }: { refreshDue(): Promise<void> }): Job => ({
  ...onTime('refresh-topups'),
  run: refreshDue,
});
