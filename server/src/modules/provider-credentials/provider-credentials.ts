// The credentials of a marketplace at its own account with the payment provider. A row is replaced and never changed, because payments
// are finished with the credentials that they began with. Its secrets are sealed like those of wallets.

import type { Need, UnitOfWork } from '../../commit/command.ts';
import { table } from '../../commit/tables.ts';

export type ProviderCredentials = {
  readonly id: string;
  readonly provider: 'payment-provider';
  /** The provider's own id of the account. */
  readonly providerAccount: string;
  /** Null: as the settings say. */
  readonly baseUrl: string | null;
  readonly payerUrl: string | null;
  readonly sealedSecrets: string;
  readonly createdAt: string;
  /** Null: new payments use these credentials. */
  readonly replacedAt: string | null;
  readonly updatedAt: string;
};

/** Which marketplace has, or had, an account. All claims are in the default marketplace. */
type AccountClaim = {
  /** The provider's own id of the account. */
  readonly id: string;
  readonly claimedBy: string;
  readonly createdAt: string;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    providerCredentials: ProviderCredentials;
    accountClaims: AccountClaim;
  }
  interface Lookups {
    providerCredentials: { current: string };
    accountClaims: Record<never, string>;
  }
}

/** Lookup `current`: by the provider, only credentials that are not replaced. */
export const PROVIDER_CREDENTIALS = table('providerCredentials', {
  notFound: 'INTERNAL_ERROR',
  sql: 'provider_credentials',
  columns: [
    'id',
    'provider',
    'providerAccount',
    'baseUrl',
    'payerUrl',
    'sealedSecrets',
    'createdAt',
    'replacedAt',
    'updatedAt',
  ],
  lookups: {
    current: {
      sql: 't.provider',
      where: { sql: 't.replaced_at is null', holds: (row) => row.replacedAt === null },
      value: (row) => row.provider,
    },
  },
});

export const ACCOUNT_CLAIMS = table('accountClaims', {
  notFound: 'INTERNAL_ERROR',
  sql: 'provider_account_claims',
  columns: ['id', 'claimedBy', 'createdAt'],
  lookups: {},
});

export const PAYMENT_PROVIDER = 'payment-provider' as const;

const CURRENT = { by: 'current', value: PAYMENT_PROVIDER } as const;

/** What a command needs that begins a payment. */
export const CREDENTIALS_NEED: Need = { table: 'providerCredentials', ...CURRENT };

export const findCurrent = (work: UnitOfWork): ProviderCredentials | undefined =>
  work.findBy('providerCredentials', CURRENT);

/** The fields of a payment that say which account it uses. Null: the account that all marketplaces share. */
type PinnedAccount = { readonly credentialsId: string | null; readonly providerAccount: string | null };

/** Of a payment that begins now. */
export const pinnedAccount = (work: UnitOfWork): PinnedAccount => {
  const current = findCurrent(work);
  return { credentialsId: current?.id ?? null, providerAccount: current?.providerAccount ?? null };
};
