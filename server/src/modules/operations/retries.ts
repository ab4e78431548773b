// Tries again soon what came to nothing certain, a few times, later and later. What is still open then is left to a job. One
// timer each, in this process only: the rows are what remembers.

import type { Context } from '../../commit/command.ts';

const FIRST_MS = 200;
const TRIES_MAX = 8;

export const createRetries = ({ run }: { run(context: Context, id: string): Promise<void> }) => {
  const waiting = new Map<string, { timer: NodeJS.Timeout; tries: number }>();
  let closed = false;

  return {
    later(context: Context, id: string): void {
      const tries = (waiting.get(id)?.tries ?? 0) + 1;
      clearTimeout(waiting.get(id)?.timer);
      waiting.delete(id);
      if (closed || tries > TRIES_MAX) return;
      const timer = setTimeout(() => void run(context, id), FIRST_MS * 2 ** (tries - 1)).unref();
      waiting.set(id, { timer, tries });
    },

    /** Its doubt is over. */
    forget(id: string): void {
      clearTimeout(waiting.get(id)?.timer);
      waiting.delete(id);
    },

    close(): void {
      closed = true;
      for (const { timer } of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
};
