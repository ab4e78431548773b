// Goes on with escrows of projects that a crash or a silent provider left half set up, so that no money waits for somebody
// to ask again.

import { onTime } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';

export const finishProjectEscrows = ({ finishLeft }: { finishLeft(): Promise<void> }): Job => ({
  ...onTime('finish-project-escrows'),
  atStart: true,
  run: finishLeft,
});
