// Ends the streams of keys that have ended. A key is checked when a stream opens, but a stream may outlive it: so every
// credential that streams is checked again from time to time, and at once when a key is known to have changed.

import { end, type Reader } from './reader.ts';

export type KeyWatchOptions = {
  readers(): Reader[];
  /** Whether the credential a stream was opened with would still open one. */
  stillValid(credential: string): boolean | Promise<boolean>;
  onTrouble(message: string, error: unknown): void;
  everyMs: number;
};

export const watchKeys = (options: KeyWatchOptions) => {
  let running = false;
  let again = false;

  const isStillValid = async (credential: string): Promise<boolean> => {
    try {
      return await options.stillValid(credential);
    } catch (error) {
      // Not knowing is not a no: the next look decides.
      options.onTrouble('a key could not be checked', error);
      return true;
    }
  };

  const recheck = async (): Promise<void> => {
    again = true;
    if (running) return;
    running = true;
    while (again) {
      again = false;
      for (const [credential, readers] of Map.groupBy(options.readers(), (reader) => reader.credential)) {
        if (!(await isStillValid(credential))) for (const reader of readers) end(reader);
      }
    }
    running = false;
  };

  const timer = setInterval(recheck, options.everyMs);
  timer.unref();

  return { recheck, close: () => clearInterval(timer) };
};
