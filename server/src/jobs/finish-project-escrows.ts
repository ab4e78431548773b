// Goes on with escrows of projects that a crash or a silent provider left half set up, so that no money waits for somebody
// to ask again.

import type { Job } from './night-shift.ts';
import { onTime } from './timetable.ts';

export const finishProjectEscrows = ({ finishLeft }: { finishLeft(): Promise<void> }): Job => ({
  ...onTime('finish-project-escrows'),
  atStart: true,
  run: finishLeft,
});
