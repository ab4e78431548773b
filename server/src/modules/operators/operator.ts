// An operator as it is stored, its passkeys, and the claims of e-mail addresses; and the reaction to a change of an operator. No row has a
// password, a code or a link: only hashes and sealed secrets.

import { hash } from 'node:crypto';
import type { OperatorStatus } from '@holdfast/contract/api/operators.ts';
import type { Role } from '@holdfast/contract/scopes.ts';
import type { Need } from '../../commit/command.ts';
import type { Reaction } from '../../commit/reactions.ts';
import { table } from '../../commit/tables.ts';

export type Operator = {
  readonly id: string;
  readonly email: string;
  readonly emailKey: string;
  readonly name: string;
  readonly role: Role;
  readonly isEverywhere: boolean;
  readonly state: 'live' | 'deleted';
  readonly status: OperatorStatus;
  readonly passwordHash: string | null;
  readonly sealedTotp: string | null;
  /** The last time step whose code was accepted. */
  readonly totpStep: bigint;
  readonly recoveryHashes: readonly string[];
  /** Issuer and subject of the single sign-on, from the first use on. */
  readonly singleSignOn: string | null;
  readonly inviteHash: string | null;
  readonly inviteExpiresAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type OperatorPasskey = {
  /** The id of the credential. */
  readonly id: string;
  readonly operatorId: string;
  readonly state: 'live' | 'removed';
  readonly publicKey: string;
  readonly counter: bigint;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
};

export type OperatorClaim = {
  /** The hash of the e-mail address. */
  readonly id: string;
  readonly kind: 'email';
  readonly operatorMarketplace: string;
  readonly operatorId: string;
  readonly updatedAt: string;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    operators: Operator;
    operatorPasskeys: OperatorPasskey;
    operatorClaims: OperatorClaim;
  }
  interface Lookups {
    operators: { state: string };
    operatorPasskeys: { operator: string };
    operatorClaims: { kind: string };
  }
}

export const OPERATORS = table('operators', {
  notFound: 'OPERATOR_NOT_FOUND',
  sql: 'operators',
  columns: [
    'id',
    'email',
    'emailKey',
    'name',
    'role',
    'isEverywhere',
    'state',
    'status',
    'passwordHash',
    'sealedTotp',
    'totpStep',
    'recoveryHashes',
    'singleSignOn',
    'inviteHash',
    'inviteExpiresAt',
    'createdAt',
    'updatedAt',
  ],
  lookups: { state: { sql: 't.state', value: (row) => row.state } },
});

/** Lookup `operator`: only passkeys that were not removed. */
export const OPERATOR_PASSKEYS = table('operatorPasskeys', {
  notFound: 'OPERATOR_NOT_FOUND',
  sql: 'operator_passkeys',
  columns: ['id', 'operatorId', 'state', 'publicKey', 'counter', 'transports', 'name', 'createdAt', 'lastUsedAt'],
  lookups: {
    operator: {
      sql: 't.operator_id',
      where: { sql: `t.state = 'live'`, holds: (row) => row.state === 'live' },
      value: (row) => row.operatorId,
    },
  },
});

export const OPERATOR_CLAIMS = table('operatorClaims', {
  notFound: 'INTERNAL_ERROR',
  sql: 'operator_claims',
  columns: ['id', 'kind', 'operatorMarketplace', 'operatorId', 'updatedAt'],
  lookups: { kind: { sql: 't.kind', value: (row) => row.kind } },
});

export const LIVE_OPERATORS: Need = { table: 'operators', by: 'state', value: 'live' };

/** Addresses that differ only in upper and lower case are the same. */
export const emailKeyOf = (email: string): string => email.trim().toLowerCase();

/** The claims of all marketplaces are in one place, so they name no address. */
export const claimIdOf = (emailKey: string): string => hash('sha256', `operator:${emailKey}`, 'hex');

declare module '../../commit/reactions.ts' {
  interface Reactions {
    'operator-changed': { readonly operatorId: string };
  }
}

/** Makes every process forget the sessions of the operator. Also after a failure, because the commit may have happened. */
export const operatorChanged = (operatorId: string): readonly Reaction[] => [
  { name: 'operator-changed', payload: { operatorId } },
];
