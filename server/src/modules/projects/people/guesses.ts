// Slows down whoever tries passwords: so many failures per account and per address in a window, then both have to wait. A
// try is counted before the password is looked at, so that many at once do not slip through; a success gives it back.

import { hash } from 'node:crypto';
import { refusal } from '../surface/refusal.ts';

export type GuessStore = {
  count(id: string, windowMs: number): Promise<{ attempts: number; secondsLeft: number }>;
  takeBack(id: string): Promise<void>;
  forget(id: string): Promise<void>;
};

/** Exactly one of these must follow, unless the guess was wrong: then nothing. */
export type Guess = {
  /** The password was right: whoever knows it may make mistakes again. */
  succeeded(): Promise<void>;
  /** It was not looked at after all. */
  takeBack(): Promise<void>;
};

export type Guesses = ReturnType<typeof createGuesses>;

type Limits = { readonly failuresMax: number; readonly windowMs: number };

// Of an account that may not exist: what strangers typed is not kept in the clear.
const accountId = (emailKey: string): string => `account:${hash('sha256', emailKey, 'hex')}`;

export const createGuesses = (store: GuessStore, { failuresMax, windowMs }: Limits) => {
  /** Refuses when there were too many. */
  const count = async (id: string): Promise<void> => {
    const { attempts, secondsLeft } = await store.count(id, windowMs);
    if (attempts > failuresMax) throw refusal('tooManyGuesses', { retryAfter: Math.max(1, secondsLeft) });
  };

  return {
    /** The address comes first: one that has to wait cannot lock out accounts any more. */
    async begin({ emailKey, address }: { emailKey: string; address: string }): Promise<Guess> {
      const account = accountId(emailKey);
      await count(address);
      await count(account);
      return {
        async succeeded() {
          await Promise.all([store.takeBack(address), store.forget(account)]);
        },
        async takeBack() {
          await Promise.all([store.takeBack(address), store.takeBack(account)]);
        },
      };
    },
  };
};
