// Looks at top-ups whose webhook never came, and carries on those whose first answer was lost. Which are due, and how many
// of them, is decided where they are kept. A server that starts looks by itself, as soon as payers can come back to it.

import type { Job } from './night-shift.ts';
import { onTime } from './timetable.ts';

export const refreshTopUps = ({ refreshDue }: { refreshDue(): Promise<void> }): Job => ({
  ...onTime('refresh-topups'),
  run: refreshDue,
});
