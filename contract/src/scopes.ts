// The scopes of a key. `*` includes every scope; the master key has it. Money that is made or leaves has scopes of its own.

export const SCOPES = ['read', 'write', 'treasury', 'payout', 'support', '*'] as const;

export type Scope = (typeof SCOPES)[number];

/** `write` contains these scopes where the operator's setting WRITE_INCLUDES names them. */
export const MONEY_SCOPES = ['treasury', 'payout'] as const satisfies readonly Scope[];

export type MoneyScope = (typeof MONEY_SCOPES)[number];

/** The scopes of a key, and what `write` contains on this server. */
export type HeldScopes = { readonly scopes: readonly Scope[]; readonly writeIncludes: readonly MoneyScope[] };

export const holdsScope = ({ scopes, writeIncludes }: HeldScopes, needed: Scope): boolean =>
  scopes.includes('*') ||
  scopes.includes(needed) ||
  (scopes.includes('write') && (writeIncludes as readonly Scope[]).includes(needed));

/** The roles of operators and the scopes of each. The `write` of an operator never contains a money scope: a role names each that it has. */
export const ROLE_SCOPES = {
  viewer: ['read'],
  support: ['read', 'write', 'support'],
  finance: ['read', 'write', 'treasury', 'payout'],
  admin: ['*'],
} as const satisfies Record<string, readonly Scope[]>;

export type Role = keyof typeof ROLE_SCOPES;

export const ROLES = Object.keys(ROLE_SCOPES) as [Role, ...Role[]];
