// Goes on with escrows of projects that a crash or a silent provider left half set up, so that no money waits for somebody
// to ask again.

import type { Job } from './night-shift.ts';

export const finishProjectEscrows = ({ finishLeft }: { finishLeft(): Promise<void> }): Job => ({
  name: 'finish-project-escrows',
  schedule: '* * * * *',
  atStart: true,
  run: finishLeft,
});
