// Slows down guessing of passwords: after a number of failures per account and per address in a window, both have to wait. An attempt is
// counted before the password is checked, so that parallel attempts are counted too; a success is subtracted again.

import { hash } from 'node:crypto';
import { refusal } from '../surface/refusal.ts';

export type GuessStore = {
  count(id: string, windowMs: number): Promise<{ attempts: number; secondsLeft: number }>;
  takeBack(id: string): Promise<void>;
  forget(id: string): Promise<void>;
};

/** Exactly one of these must follow, unless the guess was wrong: then nothing. */
export type Guess = {
  /** The password was right: the account's failures are forgotten. */
  succeeded(): Promise<void>;
  /** The password was not checked. */
  takeBack(): Promise<void>;
};

export type Guesses = ReturnType<typeof createGuesses>;

type Limits = { readonly failuresMax: number; readonly windowMs: number };

// The account may not exist, so the typed e-mail address is stored only as a hash.
const accountId = (emailKey: string): string => `account:${hash('sha256', emailKey, 'hex')}`;

export const createGuesses = (store: GuessStore, { failuresMax, windowMs }: Limits) => {
  /** Refuses when there were too many. */
  const count = async (id: string): Promise<void> => {
    const { attempts, secondsLeft } = await store.count(id, windowMs);
    if (attempts > failuresMax) throw refusal('tooManyGuesses', { retryAfter: Math.max(1, secondsLeft) });
  };

  return {
    /** The address is counted first: an address that has to wait cannot lock accounts any more. */
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
