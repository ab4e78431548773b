// Checks logins. Hashing needs much memory and a whole processor, so only a few passwords are checked at the same time. An attempt is
// counted when it is checked, so that right passwords that arrive together do not block each other. A person who logged in gets a token.

import { createGate } from '../../../base/concurrency.ts';
import { pause } from '../../../base/wait.ts';
import { type JwtParts, openJwts } from '../../api-keys/jwt.ts';
import { type Guess, type Guesses, tooManyGuesses } from './login-attempts.ts';
import type { Passwords } from './passwords.ts';

type Try = {
  readonly emailKey: string;
  readonly address: string;
  readonly password: string;
  /** Null: there is no such account. */
  readonly stored: string | null;
};

export type Logins = ReturnType<typeof createLogins>;

/** Half of the threads that the runtime has for such work, and 38 MiB. */
const AT_ONCE = 2;
const WAITING_MAX = 64;
/** Attempts that wait for the time of their check. */
const HELD_MAX = 200;

export const createLogins = (parts: { readonly passwords: Passwords; readonly guesses: Guesses }) => {
  const { passwords, guesses } = parts;
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
    if (held >= HELD_MAX) throw tooManyGuesses(waitMs);
    held++;
    await pause(waitMs);
    held--;
  };

  return {
    hash: (password: string): Promise<string> => gate(() => passwords.hash(password)),

    /** Returns whether the password is right. After too many wrong ones it is checked later, and a wrong one is refused with 429. */
    async check(attempt: Try): Promise<boolean> {
      const verify = (): Promise<boolean> => passwords.verify(attempt.password, attempt.stored);
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
      if (guess.isBeyond) throw tooManyGuesses(guess.waitMs);
      return false;
    },
  };
};

/** The user of a token, and the marketplace. */
type Bearer = { readonly marketplaceId: string; readonly userId: string };

export type PeopleTokens = {
  sign(bearer: Bearer): Promise<string>;
  /** Null when the token is not valid or has expired. */
  verify(token: string): Promise<Bearer | null>;
};

// The tokens of API keys have another audience, so neither kind is accepted in the place of the other.
const AUDIENCE = 'holdfast:people';
const SECOND = 1_000_000;

export const createPeopleTokens = (parts: JwtParts & { readonly ttlMs: number }): PeopleTokens => {
  const jwts = openJwts(parts, AUDIENCE);
  return {
    async sign({ marketplaceId, userId }) {
      const expiresAtS = Math.floor((parts.clock() + parts.ttlMs * 1_000) / SECOND);
      return (await jwts.sign({ subject: userId, claims: { mkt: marketplaceId }, expiresAtS })).token;
    },

    async verify(token) {
      const { sub, mkt } = (await jwts.verify(token)) ?? {};
      return typeof sub === 'string' && typeof mkt === 'string' ? { userId: sub, marketplaceId: mkt } : null;
    },
  };
};
