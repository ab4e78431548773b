// Short-lived tokens of keys. A token names the key that it was made from; at every use the key is checked as well. The scopes of a token
// are never more than its key had when the token was made, or has now.

import { type HeldScopes, holdsScope, SCOPES, type Scope } from '@holdfast/contract/scopes.ts';
import type { JWTPayload } from 'jose';
import { DomainError } from '../../base/domain-error.ts';
import { formatInstant, parseInstant } from '../../base/instant.ts';
import type { ApiKey } from './api-key.ts';
import type { SignedToken } from './issue-token.ts';
import { type JwtParts, openJwts } from './jwt.ts';
import { secretMark } from './key-text.ts';

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
  /** Null when the token is not valid or has expired. */
  verify(token: string): Promise<TokenClaims | null>;
};

// Tokens of people are signed with the same secrets, but have another audience and are not accepted here.
const AUDIENCE = 'holdfast:api';
const SECOND = 1_000_000;

export const createTokens = (parts: JwtParts & { readonly ttlMs: number }): Tokens => {
  const jwts = openJwts(parts, AUDIENCE);
  return {
    async sign({ key, marketplaceId, scopes }) {
      const keyEnds = key.expiresAt === null ? Number.POSITIVE_INFINITY : (parseInstant(key.expiresAt) ?? 0);
      const expiresAtS = Math.floor(Math.min(parts.clock() + parts.ttlMs * 1_000, keyEnds) / SECOND);
      const claims = { mkt: marketplaceId, scopes: [...scopes], sec: secretMark(key.secretHash) };
      const { token, tokenId } = await jwts.sign({ subject: key.id, claims, expiresAtS });
      return { token, tokenId, scopes, expiresAt: formatInstant(expiresAtS * SECOND) };
    },

    async verify(token) {
      const payload = await jwts.verify(token);
      return payload && claimsOf(payload);
    },
  };
};

const isScope = (value: unknown): value is Scope => SCOPES.includes(value as Scope);

const claimsOf = ({ sub, mkt, scopes, sec, exp }: JWTPayload): TokenClaims | null => {
  if (typeof sub !== 'string' || typeof mkt !== 'string' || typeof sec !== 'string' || exp === undefined) return null;
  if (!Array.isArray(scopes) || !scopes.every(isScope)) return null;
  return { marketplaceId: mkt, keyId: sub, scopes, mark: sec, expiresAt: exp * SECOND };
};

/** The scopes that both lists allow. */
export const commonScopes = (requested: readonly Scope[], held: HeldScopes): readonly Scope[] =>
  requested.includes('*') ? held.scopes : requested.filter((scope) => holdsScope(held, scope));

/** Returns the requested scopes; refuses when the key does not hold one of them. */
export const narrowScopes = (requested: readonly Scope[], held: HeldScopes): readonly Scope[] => {
  const missing = requested.find((scope) => !holdsScope(held, scope));
  if (missing === undefined) return requested;
  throw new DomainError('INSUFFICIENT_SCOPE', {
    message: `A token cannot hold ${missing}, because its key does not.`,
    details: { requiredScope: missing, scopes: held.scopes },
  });
};
