// Checks logins. Hashing needs much memory and a whole processor, so only a few passwords are checked at the same time. An attempt is
// counted when it is checked, so that right passwords that arrive together do not block each other.

import { createGate } from '../../base/concurrency.ts';
import type { DomainError } from '../../base/domain-error.ts';
import { pause } from '../../base/wait.ts';
import type { Guess, Guesses } from './login-attempts.ts';
import type { Passwords } from './passwords.ts';

type Try = {
  readonly emailKey: string;
  readonly address: string;
  /** Whether the password, and whatever else was sent with it, is right. It takes the same time for an account that does not exist. */
  verify(): Promise<boolean>;
};

export type Logins = ReturnType<typeof createLogins>;

/** Half of the threads that the runtime has for such work, and 38 MiB. */
const AT_ONCE = 2;
const WAITING_MAX = 64;
/** Attempts that wait for the time of their check. */
const HELD_MAX = 200;

type Parts = {
  readonly passwords: Passwords;
  readonly guesses: Guesses;
  /** The refusal of an attempt that comes too early. */
  refuse(retryAfterS: number): DomainError;
};

export const createLogins = ({ passwords, guesses, refuse }: Parts) => {
  const tooMany = (waitMs: number): DomainError => refuse(Math.max(1, Math.ceil(waitMs / 1_000)));
  const gate = createGate({ atOnce: AT_ONCE, waitingMax: WAITING_MAX });
  let held = 0;

  /** An attempt whose password could not be checked is no failure. */
  const unlessFailed = (guess: Guess, work: () => Promise<boolean>): Promise<boolean> =>
    work().catch(async (error: unknown) => {
      await guess.takeBack();
      throw error;
    });

  /** Waits outside the gate, so that attempts that are delayed keep no other login waiting. */
  const hold = async (waitMs: number): Promise<void> => {
    if (held >= HELD_MAX) throw tooMany(waitMs);
    held++;
    await pause(waitMs);
    held--;
  };

  return {
    hash: (password: string): Promise<string> => gate(() => passwords.hash(password)),

    /** Returns whether the password is right. After too many wrong ones it is checked later, and a wrong one is refused with 429. */
    async check(attempt: Try): Promise<boolean> {
      const { verify } = attempt;
      const { guess, isRight } = await gate(async () => {
        const begun = await guesses.begin(attempt);
        return { guess: begun, isRight: begun.waitMs > 0 ? null : await unlessFailed(begun, verify) };
      });
      const checkLater = async (): Promise<boolean> => {
        await hold(guess.waitMs);
        return gate(verify);
      };
      if (isRight ?? (await unlessFailed(guess, checkLater))) {
        await guess.succeeded();
        return true;
      }
      if (guess.isBeyond) throw tooMany(guess.waitMs);
      return false;
    },
  };
};
