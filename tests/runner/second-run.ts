// A file that fails while the host has taken the processors of the machine is run again at the end, alone. The output shows its failures and
// says so. A file that fails at any other time, or again, has failed.

import type { FileResult } from './progress.ts';
import type { Scheduled } from './schedule.ts';

/** Of all processors, in one second. */
const STOLEN_MIN = 0.4;

type Running = {
  run(files: readonly Scheduled[], options: { isAlone: boolean; onDone(result: FileResult): void }): Promise<void>;
  /** The largest share of the processors that was taken in one second since then. */
  peakSince(startMs: number): number;
  onDone(result: FileResult): void;
  onPostponed(result: FileResult, share: number): void;
};

export const runFiles = async (files: readonly Scheduled[], running: Running): Promise<void> => {
  const { run, peakSince, onDone, onPostponed } = running;
  const postponed: Scheduled[] = [];
  const decide = (result: FileResult): void => {
    const share = peakSince(performance.now() - result.durationMs);
    const scheduled = files.find(({ file }) => file === result.file);
    if (result.failures.length > 0 && share >= STOLEN_MIN && scheduled) {
      postponed.push(scheduled);
      onPostponed(result, share);
    } else onDone(result);
  };
  await run(files, { isAlone: false, onDone: decide });
  if (postponed.length > 0) await run(postponed, { isAlone: true, onDone });
};
