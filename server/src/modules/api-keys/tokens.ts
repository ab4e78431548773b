// Short-lived tokens of keys. A token only says what it was made from; whether that key still opens is asked each time it
// is used.

import { holdsScope, SCOPES, type Scope } from '@holdfast/contract/scopes.ts';
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
  /** Null: not a token of ours, or no longer. */
  verify(token: string): Promise<TokenClaims | null>;
};

// Other tokens signed with the same secrets are for somebody else and may not enter here.
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

// Scopes only get fewer: a token never has more than its key had at creation, or has now.
const holds = (held: readonly Scope[], scope: Scope): boolean =>
  scope === '*' ? held.includes('*') : holdsScope(held, scope);

/** What both allow. */
export const commonScopes = (asked: readonly Scope[], held: readonly Scope[]): readonly Scope[] =>
  asked.includes('*') ? held : asked.filter((scope) => holds(held, scope));

/** The scopes asked for; refuses when one of them is not held. */
export const narrowScopes = (asked: readonly Scope[], held: readonly Scope[]): readonly Scope[] => {
  const missing = asked.find((scope) => !holds(held, scope));
  if (missing === undefined) return asked;
  throw new DomainError('INSUFFICIENT_SCOPE', {
    message: `A token cannot hold ${missing}, because its key does not.`,
    details: { requiredScope: missing, scopes: held },
  });
};
