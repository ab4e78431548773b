// What every development key has, and how it is recognised in a database whose key file is lost.

import type { Scope } from '@holdfast/contract/scopes.ts';

/** The rate is that of the tests and loops of a developer, far above that of a shop. */
export const DEVELOPMENT_KEY: { readonly name: string; readonly scopes: readonly Scope[]; readonly rateLimit: number } =
  { name: 'development', scopes: ['*'], rateLimit: 1_000_000 };
