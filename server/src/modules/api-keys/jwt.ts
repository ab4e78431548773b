// Signs and verifies JSON Web Tokens: signed with the first secret, accepted with any, so that secrets can be rotated without a gap. The
// caller decides what the claims mean.

import { createSecretKey, randomUUID } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type { Clock } from '../../base/instant.ts';

export type JwtParts = { readonly jwtSecrets: readonly string[]; readonly clock: Clock };

type Content = { readonly subject: string; readonly claims: JWTPayload; readonly expiresAtS: number };

/** Loaded with the first token: most servers see API keys alone. */
const loadJose = () => import('jose');

const ISSUER = 'holdfast';
const SECOND = 1_000_000;

/** A token of one audience is not accepted for another, although the secrets are the same. */
export const openJwts = ({ jwtSecrets, clock }: JwtParts, audience: string) => {
  const keys = jwtSecrets.map((secret) => createSecretKey(secret, 'utf8'));
  const signingKey = keys[0];
  if (!signingKey) throw new Error('tokens need at least one secret');

  return {
    async sign({ subject, claims, expiresAtS }: Content): Promise<{ token: string; tokenId: string }> {
      const { SignJWT } = await loadJose();
      const tokenId = randomUUID();
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(ISSUER)
        .setAudience(audience)
        .setSubject(subject)
        .setIssuedAt(Math.floor(clock() / SECOND))
        .setExpirationTime(expiresAtS)
        .setJti(tokenId)
        .sign(signingKey);
      return { token, tokenId };
    },

    /** Null when the token is not valid or has expired. */
    async verify(token: string): Promise<JWTPayload | null> {
      const { errors, jwtVerify } = await loadJose();
      for (const key of keys) {
        try {
          const { payload } = await jwtVerify(token, key, {
            algorithms: ['HS256'],
            issuer: ISSUER,
            audience,
            requiredClaims: ['sub', 'iat', 'exp', 'jti'],
            currentDate: new Date(clock() / 1_000),
          });
          return payload;
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
