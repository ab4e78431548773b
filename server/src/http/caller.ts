// Who stands at the door, and what they may enter. It decides from what the key holds and asks no database.

import type { Access } from '@holdfast/contract/api/endpoint.ts';
import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { holdsScope, type Scope } from '@holdfast/contract/scopes.ts';
import { DomainError } from '../base/domain-error.ts';
import type { Context } from '../commit/command.ts';

export type Caller = {
  /** `anonymous` only on public routes. */
  readonly type: 'master' | 'api_key' | 'token' | 'anonymous';
  readonly keyId: string;
  readonly keyName: string;
  readonly scopes: readonly Scope[];
  readonly marketplaceId: string;
  /** Requests per window; absent or null: the server's own limit. */
  readonly rateLimit?: number | null;
  /** Which of an API key's secrets it came with: a replaced one may do less. */
  readonly secretMark?: string;
};

/** Finds the caller of a bearer credential, or null. Answers without a promise when it can. */
export type Authenticator = (bearer: string) => Caller | null | Promise<Caller | null>;

export const ANONYMOUS: Caller = {
  type: 'anonymous',
  keyId: 'anonymous',
  keyName: 'anonymous',
  scopes: [],
  marketplaceId: DEFAULT_MARKETPLACE,
};

const BEARER = /^bearer +([^\s,]+) *$/i;

export const bearerOf = (authorization: string | undefined): string | null =>
  authorization === undefined ? null : (BEARER.exec(authorization)?.[1] ?? null);

/** The refusal, or null when the caller may enter. */
export const refusalOf = (access: Access, caller: Caller | null): DomainError | null => {
  if (access === 'public') return null;
  if (caller === null) return new DomainError('UNAUTHORIZED');
  if (access === 'any' || caller.type === 'master') return null;
  if (access !== 'master' && holdsScope(caller.scopes, access)) return null;
  return new DomainError('INSUFFICIENT_SCOPE', { details: { requiredScope: access, scopes: caller.scopes } });
};

export const contextOf = (caller: Caller, requestId: string): Context => ({
  marketplaceId: caller.marketplaceId,
  actor: { type: ACTORS[caller.type], id: caller.keyId },
  requestId,
});

const ACTORS = { master: 'master', api_key: 'api_key', token: 'api_key', anonymous: 'system' } as const;
