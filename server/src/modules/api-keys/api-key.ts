// An API key as it is stored: never the key itself, only the hash of its secret part; and the reaction to a change of a key.

import type { Scope } from '@holdfast/contract/scopes.ts';
import type { Reaction } from '../../commit/reactions.ts';
import { table } from '../../commit/tables.ts';

export type ApiKey = {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly secretHash: string;
  /** The secret before the last rotation, valid until the overlap ends. */
  readonly previousHash: string | null;
  readonly previousExpiresAt: string | null;
  /** Requests per window; null: RATE_LIMIT_MAX applies. */
  readonly rateLimit: number | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    apiKeys: ApiKey;
  }
  interface Lookups {
    apiKeys: Record<never, string>;
  }
}

export const API_KEYS = table('apiKeys', {
  notFound: 'API_KEY_NOT_FOUND',
  sql: 'api_keys',
  columns: [
    'id',
    'name',
    'scopes',
    'secretHash',
    'previousHash',
    'previousExpiresAt',
    'rateLimit',
    'createdAt',
    'expiresAt',
    'revokedAt',
  ],
  lookups: {},
});

declare module '../../commit/reactions.ts' {
  interface Reactions {
    'api-key-changed': { readonly keyId: string };
  }
}

/**
 * Makes every process forget a changed key, so that the change takes effect before the answer is sent. Also after a failure, because
 * the commit may have happened although its answer was lost, and for a repeat, because the first process may have stopped before it
 * notified the others.
 */
export const keyChanged = ({ input }: { readonly input: { readonly id: string } }): readonly Reaction[] => [
  { name: 'api-key-changed', payload: { keyId: input.id } },
];
