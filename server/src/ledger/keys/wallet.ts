// A wallet on the ledger network: custodial, with a sealed secret that we store, or external, with an address only.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { table } from '../../commit/tables.ts';

/** An asset on the ledger. Several of our currencies may settle in one asset. */
export type Asset = 'USDC' | 'XLM';

export type WalletOwner = 'user' | 'treasury' | 'platform';

export type Wallet = {
  readonly id: string;
  readonly owner: WalletOwner;
  readonly userId: string | null;
  readonly address: string;
  readonly type: 'INVISIBLE' | 'EXTERNAL';
  readonly sealedSecret: string | null;
  /** PENDING until the account exists on the ledger and trusts the asset. */
  readonly status: 'PENDING' | 'ACTIVE';
  readonly isPrimary: boolean;
  /** Paging token of the last payment that was read. */
  readonly paymentsCursor: string;
  readonly activatedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** Value of the `owner` lookup. */
export const ownedBy = (owner: WalletOwner, userId: string | null): string => `${owner}:${userId ?? ''}`;

export const assetOf = (currency: Currency): Asset => (currency === 'XLM' ? 'XLM' : 'USDC');

declare module '../../commit/tables.ts' {
  interface Tables {
    wallets: Wallet;
  }
  interface Lookups {
    wallets: { owner: string; address: string };
  }
}

/** Lookup `owner`: see `ownedBy`. */
export const WALLETS = table('wallets', {
  notFound: 'WALLET_NOT_FOUND',
  sql: 'wallets',
  columns: [
    'id',
    'owner',
    'userId',
    'address',
    'type',
    'sealedSecret',
    'status',
    'isPrimary',
    'paymentsCursor',
    'activatedAt',
    'createdAt',
    'updatedAt',
  ],
  lookups: {
    owner: {
      sql: "(t.owner || ':' || coalesce(t.user_id, ''))",
      value: (row) => `${row.owner}:${row.userId ?? ''}`,
    },
    address: { sql: 't.address', value: (row) => row.address },
  },
});
