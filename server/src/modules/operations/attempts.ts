// Attempts that run in this process, one for each id. A second caller waits for the attempt that is running instead of starting
// another one. Orders, top-ups and withdrawals share it, and the loop that resumes what is due.

import { fewAtOnce } from '../../base/few-at-once.ts';
import { within } from '../../base/wait.ts';

const CLOSE_WAIT_MS = 5_000;

export type Attempts<Result> = {
  /** Starts an attempt, or returns the one that is running. */
  run(id: string, start: () => Promise<Result>): Promise<Result>;
  find(id: string): Promise<Result> | null;
  /** Waits a few seconds for the attempts that are running. The next start finds the others by their rows. */
  close(): Promise<void>;
};

export const createAttempts = <Result>(): Attempts<Result> => {
  const running = new Map<string, Promise<Result>>();
  return {
    run(id, start) {
      const known = running.get(id);
      if (known) return known;
      const attempt = start().finally(() => running.delete(id));
      running.set(id, attempt);
      return attempt;
    },
    find: (id) => running.get(id) ?? null,
    async close() {
      await within<unknown, void>(CLOSE_WAIT_MS, Promise.allSettled(running.values()), () => {});
    },
  };
};

type ResumeOptions<Item> = {
  readonly atOnce: number;
  /** `silent`: the outside system did not answer. Must not reject. */
  run(item: Item): Promise<'answered' | 'silent'>;
  /** After so many silent ones in a row the rest is left to the next round: the outside system is down. */
  readonly silentMax: number;
  isClosed?(): boolean;
};

/** Runs each of the items, a few at a time. */
export const resumeEach = async <Item>(items: readonly Item[], options: ResumeOptions<Item>): Promise<void> => {
  let silent = 0;
  await fewAtOnce(items, {
    atOnce: options.atOnce,
    async work(item) {
      silent = (await options.run(item)) === 'silent' ? silent + 1 : 0;
    },
    isOver: () => silent >= options.silentMax || options.isClosed?.() === true,
  });
};
