// The scopes of a key. `*` includes every scope; the master key has it.

export const SCOPES = ['read', 'write', 'support', '*'] as const;

export type Scope = (typeof SCOPES)[number];

export const holdsScope = (scopes: readonly Scope[], needed: Exclude<Scope, '*'>): boolean =>
  scopes.includes('*') || scopes.includes(needed);
