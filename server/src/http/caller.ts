// The caller of a request and what it may use. Decided from what is known about the key, without the database.

import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { holdsScope, type MoneyScope, type Role, type Scope } from '@holdfast/contract/scopes.ts';
import { DomainError } from '../base/domain-error.ts';
import type { Context } from '../commit/command.ts';
import type { LookUp } from './key-lookups.ts';

export type Caller = {
  /** `anonymous` only on public routes. */
  readonly type: 'master' | 'api_key' | 'token' | 'operator' | 'anonymous';
  readonly keyId: string;
  readonly keyName: string;
  readonly scopes: readonly Scope[];
  readonly marketplaceId: string;
  /** Requests per window; absent or null: the limit of the server. */
  readonly rateLimit?: number | null;
  /** An operator who may work in every marketplace, by X-Marketplace-Id. */
  readonly isEverywhere?: boolean;
  /** Only of an operator. */
  readonly role?: Role;
  /** The session of an operator. */
  readonly sessionId?: string;
  /** Which secret of the API key was used: a replaced secret may do less. */
  readonly secretMark?: string;
};

/**
 * Finds the caller of a bearer credential, or null. Returns without a promise when it can. A credential that is not known here is
 * searched through `lookUp`, which may refuse.
 */
export type Authenticator = (bearer: string, lookUp?: LookUp) => Caller | null | Promise<Caller | null>;

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

type Asking = { readonly caller: Caller | null; readonly writeIncludes: readonly MoneyScope[] };

/** The refusal, or null when the caller may use the endpoint. */
export const refusalOf = (
  { access, moneyScope }: Pick<Endpoint, 'access' | 'moneyScope'>,
  { caller, writeIncludes }: Asking,
): DomainError | null => {
  if (access === 'public') return null;
  if (caller === null) return new DomainError('UNAUTHORIZED');
  if (access === 'any' || caller.type === 'master') return null;
  const { scopes } = caller;
  const isOperator = caller.type === 'operator';
  // An API key with every scope must not be able to make administrators who outlive it.
  if (access === 'admin' && isOperator && scopes.includes('*')) return null;
  const contained = isOperator ? [] : writeIncludes;
  const isScope = access !== 'master' && access !== 'admin';
  if (isScope && holdsScope({ scopes, writeIncludes: contained }, moneyScope ?? access)) return null;
  const isSeparate = moneyScope !== undefined && !contained.includes(moneyScope);
  const requiredScope = isSeparate ? moneyScope : access;
  return new DomainError('INSUFFICIENT_SCOPE', { details: { requiredScope, scopes } });
};

export const contextOf = (caller: Caller, requestId: string): Context => ({
  marketplaceId: caller.marketplaceId,
  actor: { type: ACTORS[caller.type], id: caller.keyId },
  requestId,
});

const ACTORS = {
  master: 'master',
  api_key: 'api_key',
  token: 'api_key',
  operator: 'operator',
  anonymous: 'system',
} as const;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the admission hook; `anonymous` without a valid key. */
    caller: Caller | null;
    /** The body as it arrived; null where no handler needs it, and where there was no body. */
    rawBody: Buffer | null;
  }

  interface FastifyContextConfig {
    /** Absent on pages outside the API, such as the reference. */
    endpoint?: Endpoint;
    /** The request waits for outside systems or never ends. Such requests use few resources and must not lock out others. */
    waits?: boolean;
    /** Only where a body may be larger than other bodies. */
    bodyLimitBytes?: number;
  }
}
