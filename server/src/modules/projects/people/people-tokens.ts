// The tokens of people who logged in. They name the user, and are valid for a limited time.

import { type JwtParts, openJwts } from '../../api-keys/jwt.ts';

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
