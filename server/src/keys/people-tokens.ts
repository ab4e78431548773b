// Tokens of people who logged in: signed with the first secret, accepted with any, so that secrets can be changed without a
// gap. Their audience is another than that of the keys' tokens, so neither opens anything in the other's place.

import { createSecretKey, type KeyObject, randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../domain/instant.ts';

/** Whose token it is, and where. */
export type Bearer = { readonly marketplaceId: string; readonly userId: string };

export type PeopleTokens = {
  sign(bearer: Bearer): Promise<string>;
  /** Null: not a token of ours, or no longer. */
  verify(token: string): Promise<Bearer | null>;
};

const ISSUER = 'holdfast';
const AUDIENCE = 'holdfast:people';
const SECOND = 1_000_000;

export const createPeopleTokens = (parts: {
  readonly jwtSecrets: readonly string[];
  readonly ttlMs: number;
  readonly clock: Clock;
}): PeopleTokens => {
  const keys = parts.jwtSecrets.map((secret) => createSecretKey(secret, 'utf8'));
  const signingKey = keys[0];
  if (!signingKey) throw new Error('tokens need at least one secret');

  /** Undefined: it was signed with another secret. */
  const open = async (token: string, key: KeyObject): Promise<Bearer | null | undefined> => {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['sub', 'iat', 'exp', 'jti'],
        currentDate: new Date(parts.clock() / 1_000),
      });
      const { sub, mkt } = payload;
      return typeof sub === 'string' && typeof mkt === 'string' ? { userId: sub, marketplaceId: mkt } : null;
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) return undefined;
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  };

  return {
    sign({ marketplaceId, userId }) {
      const now = parts.clock();
      return new SignJWT({ mkt: marketplaceId })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(userId)
        .setIssuedAt(Math.floor(now / SECOND))
        .setExpirationTime(Math.floor((now + parts.ttlMs * 1_000) / SECOND))
        .setJti(randomUUID())
        .sign(signingKey);
    },

    async verify(token) {
      for (const key of keys) {
        const bearer = await open(token, key);
        if (bearer !== undefined) return bearer;
      }
      return null;
    },
  };
};
