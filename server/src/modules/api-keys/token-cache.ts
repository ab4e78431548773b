// Tokens whose signature was found good, by their digest, so that each is verified once. It says nothing about whether
// they still open anything, and holds only so many.

import type { Holder } from './checked-key.ts';
import type { TokenClaims } from './tokens.ts';

export type SeenToken = {
  readonly claims: TokenClaims;
  /** The key's holder that `holder` was made from. */
  from: Holder | null;
  holder: Holder | null;
};

export const createTokenCache = (tokensMax: number) => {
  const seen = new Map<string, SeenToken>();
  return {
    get: (digest: string): SeenToken | undefined => seen.get(digest),
    put(digest: string, claims: TokenClaims): SeenToken {
      if (seen.size >= tokensMax) {
        const oldest = seen.keys().next();
        if (!oldest.done) seen.delete(oldest.value);
      }
      const token = { claims, from: null, holder: null };
      seen.set(digest, token);
      return token;
    },
  };
};
