// An API key as we keep it: never the key itself, only the hash of its secret part.

import type { Scope } from '@holdfast/contract/scopes.ts';

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
