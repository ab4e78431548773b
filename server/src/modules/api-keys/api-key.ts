// An API key as it is stored: never the key itself, only the hash of its secret part.

import type { Scope } from '@holdfast/contract/scopes.ts';
import type { Reaction } from '../../commit/reactions.ts';
import { table } from '../../commit/tables.ts';

export type ApiKey = {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly secretHash: string;
  /** The secret before the last rotation, good until the overlap ends. */
  readonly previousHash: string | null;
  readonly previousExpiresAt: string | null;
  /** Requests per window; null: the service's own limit. */
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

// What happens after a command has changed a key: every process forgets the key, so that the change takes effect with the answer.
declare module '../../commit/reactions.ts' {
  interface Reactions {
    'api-key-changed': { readonly keyId: string };
  }
}

/** Also after a failure: the commit may have happened and only its answer may be lost. */
export const keyChanged = ({ input }: { readonly input: { readonly id: string } }): readonly Reaction[] => [
  { name: 'api-key-changed', payload: { keyId: input.id } },
];
