// Checks logins. Hashing needs much memory and a whole processor, so only a few passwords are checked at the same time. An attempt is
// counted when it is checked, so that right passwords that arrive together do not block each other. A person who logged in gets a token.

import { createGate } from '../../../base/concurrency.ts';
import { type JwtParts, openJwts } from '../../api-keys/jwt.ts';
import type { Guesses } from './login-attempts.ts';
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

export const createLogins = (parts: { readonly passwords: Passwords; readonly guesses: Guesses }) => {
  const { passwords, guesses } = parts;
  const gate = createGate({ atOnce: AT_ONCE, waitingMax: WAITING_MAX });

  return {
    hash: (password: string): Promise<string> => gate(() => passwords.hash(password)),

    /** Returns whether the password is right; refuses after too many wrong passwords. */
    check: ({ emailKey, address, password, stored }: Try): Promise<boolean> =>
      gate(async () => {
        const guess = await guesses.begin({ emailKey, address });
        const isRight = await passwords.verify(password, stored).catch(async (error: unknown) => {
          await guess.takeBack();
          throw error;
        });
        if (isRight) await guess.succeeded();
        return isRight;
      }),
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
