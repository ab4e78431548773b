// Tokens of people who logged in. Their audience differs from that of the keys' tokens, so neither is accepted in the place of the
// other.

import { type JwtParts, openJwts } from '../../api-keys/jwt.ts';

/** Whose token it is, and where. */
export type Bearer = { readonly marketplaceId: string; readonly userId: string };

export type PeopleTokens = {
  sign(bearer: Bearer): Promise<string>;
  /** Null: not a token of ours, or no longer. */
  verify(token: string): Promise<Bearer | null>;
};

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
