// Whether an endpoint answers, and when it may be tried again. Single failures change nothing for other events; many in a row mean that
// the endpoint fails: then only one event at a time is tried, with growing pauses, until one is delivered.

import { type BackOff, backOffMs } from '../../../base/wait.ts';
import { FAILURES_MAX } from '../../webhook-endpoints/present.ts';
import { type AttemptResult, RETRY_AFTER_MAX_MS } from '../delivery.ts';

const AT_ONCE = 8;
const PROBES: BackOff = { firstMs: 5_000, maxMs: 300_000 };

/** `failures`: how many attempts in a row had failed before. */
export const createHealth = (failuresBefore: number) => {
  let failures = failuresBefore;
  let pausedUntil = 0;
  let timer: NodeJS.Timeout | null = null;

  const isFailing = (): boolean => failures >= FAILURES_MAX;

  const pause = (ms: number): void => {
    pausedUntil = Math.max(pausedUntil, performance.now() + ms);
  };

  const stopTimer = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
  };

  /** Without its timer, which would make the next pause as long as this one. */
  const endPause = (): void => {
    pausedUntil = 0;
    stopTimer();
  };

  return {
    /** How many events may be on their way. */
    atOnce: (): number => (isFailing() ? 1 : AT_ONCE),
    pause,
    isPaused: (): boolean => performance.now() < pausedUntil,
    /** Calls once when the pause is over. */
    whenOver(call: () => void): void {
      timer ??= setTimeout(
        () => {
          timer = null;
          call();
        },
        pausedUntil - performance.now() + 1,
      ).unref();
    },
    close: stopTimer,
    /** Returns whether the endpoint was failing until now and answers again. */
    note({ attempt: { error }, ends, retryAfterMs }: AttemptResult): boolean {
      // Nothing was sent.
      if (ends === 'event') return false;
      if (error !== null) {
        failures++;
        if (isFailing()) pause(backOffMs(PROBES, failures - FAILURES_MAX + 1));
        pause(Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS));
        return false;
      }
      const wasFailing = isFailing();
      failures = 0;
      endPause();
      return wasFailing;
    },
  };
};
