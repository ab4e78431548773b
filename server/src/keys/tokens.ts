// Short-lived tokens: signed with the first secret, accepted with any, so that secrets can be changed without a gap. A
// token only says what it was made from; whether that key still opens is asked each time it is used.

import { createSecretKey, randomUUID } from 'node:crypto';
import { SCOPES, type Scope } from '@holdfast/contract/scopes.ts';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { SignedToken } from '../commands/issue-token.ts';
import type { ApiKey } from '../domain/api-key.ts';
import { type Clock, formatInstant, parseInstant } from '../domain/instant.ts';
import { secretMark } from '../domain/key-text.ts';

export type TokenClaims = {
  readonly marketplaceId: string;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  readonly mark: string;
  /** Microseconds. */
  readonly expiresAt: number;
};

export type Tokens = {
  sign(of: { key: ApiKey; marketplaceId: string; scopes: readonly Scope[] }): Promise<SignedToken>;
  /** Null: not a token of ours, or no longer. */
  verify(token: string): Promise<TokenClaims | null>;
};

const ISSUER = 'holdfast';
// Other tokens signed with the same secrets are for somebody else and may not enter here.
const AUDIENCE = 'holdfast:api';
const SECOND = 1_000_000;

export const createTokens = (parts: {
  readonly jwtSecrets: readonly string[];
  readonly ttlMs: number;
  readonly clock: Clock;
}): Tokens => {
  const keys = parts.jwtSecrets.map((secret) => createSecretKey(secret, 'utf8'));
  const signingKey = keys[0];
  if (!signingKey) throw new Error('tokens need at least one secret');

  return {
    async sign({ key, marketplaceId, scopes }) {
      const now = parts.clock();
      const keyEnds = key.expiresAt === null ? Number.POSITIVE_INFINITY : (parseInstant(key.expiresAt) ?? 0);
      const expires = Math.floor(Math.min(now + parts.ttlMs * 1_000, keyEnds) / SECOND);
      const tokenId = randomUUID();
      const token = await new SignJWT({ mkt: marketplaceId, scopes: [...scopes], sec: secretMark(key.secretHash) })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(key.id)
        .setIssuedAt(Math.floor(now / SECOND))
        .setExpirationTime(expires)
        .setJti(tokenId)
        .sign(signingKey);
      return { token, tokenId, scopes, expiresAt: formatInstant(expires * SECOND) };
    },

    async verify(token) {
      for (const key of keys) {
        try {
          const { payload } = await jwtVerify(token, key, {
            algorithms: ['HS256'],
            issuer: ISSUER,
            audience: AUDIENCE,
            requiredClaims: ['sub', 'iat', 'exp', 'jti'],
            currentDate: new Date(parts.clock() / 1_000),
          });
          return claimsOf(payload);
        } catch (error) {
          if (error instanceof errors.JWSSignatureVerificationFailed) continue;
          if (error instanceof errors.JOSEError) return null;
          throw error;
        }
      }
      return null;
    },
  };
};

const isScope = (value: unknown): value is Scope => SCOPES.includes(value as Scope);

const claimsOf = ({ sub, mkt, scopes, sec, exp }: JWTPayload): TokenClaims | null => {
  if (typeof sub !== 'string' || typeof mkt !== 'string' || typeof sec !== 'string' || exp === undefined) return null;
  if (!Array.isArray(scopes) || !scopes.every(isScope)) return null;
  return { marketplaceId: mkt, keyId: sub, scopes, mark: sec, expiresAt: exp * SECOND };
};
