// Looks again, later and later, at the addresses whose transaction is in doubt. One timer per address, in this process.

import type { OpenTransaction } from './queries.ts';

type Options = {
  run(place: OpenTransaction): Promise<void>;
  keyOf(place: OpenTransaction): string;
  onTrouble(message: string, error: unknown): void;
};

const FIRST_MS = 100;
const MAX_MS = 30_000;

export const createRetries = ({ run, keyOf, onTrouble }: Options) => {
  const waiting = new Map<string, { timer: NodeJS.Timeout; waitMs: number }>();
  let closed = false;

  const later = (place: OpenTransaction): void => {
    if (closed) return;
    const key = keyOf(place);
    const waitMs = Math.min((waiting.get(key)?.waitMs ?? FIRST_MS / 2) * 2, MAX_MS);
    clearTimeout(waiting.get(key)?.timer);
    const again = (): void => {
      run(place).catch((error) => {
        onTrouble('a transaction could not be resumed and will be tried again', error);
        later(place);
      });
    };
    waiting.set(key, { timer: setTimeout(again, waitMs).unref(), waitMs });
  };

  return {
    later,

    /** Its doubt is over. */
    forget(place: OpenTransaction): void {
      clearTimeout(waiting.get(keyOf(place))?.timer);
      waiting.delete(keyOf(place));
    },

    /** It was looked at so often that the pause no longer grows. */
    isPatienceOver: (place: OpenTransaction): boolean => (waiting.get(keyOf(place))?.waitMs ?? 0) >= MAX_MS,

    close(): void {
      closed = true;
      for (const { timer } of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
};
