// A wallet on the ledger network: custodial, with a sealed secret that we store, or external, with an address only. Commands store a
// new custodial wallet with `keepWallet`.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { UnitOfWork } from '../../commit/command.ts';
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
  /** When the account was first needed on the ledger; null: it was not needed yet, and costs nothing. */
  readonly activationRequestedAt: string | null;
  readonly activatedAt: string | null;
  /** How many reserves of other wallets this wallet locks on the ledger; only of a treasury. */
  readonly sponsoredReserves: number;
  /** When the user proved to hold the key; null for a custodial wallet. */
  readonly provedAt: string | null;
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
    'activationRequestedAt',
    'activatedAt',
    'sponsoredReserves',
    'provedAt',
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

/** A wallet that is created before the command that stores it: sealing a secret takes longer than a decision may. */
export type PreparedWallet = { readonly id: string; readonly address: string; readonly sealedSecret: string };

/** The cursor before the first payment of an account. */
export const FIRST_CURSOR = '0';

type NewWallet = {
  readonly prepared: PreparedWallet;
  readonly owner: WalletOwner;
  readonly userId: string | null;
};

/** Stores a prepared custodial wallet: PENDING until its account is on the ledger. */
export const keepWallet = (work: UnitOfWork, { prepared, owner, userId }: NewWallet): Wallet => {
  const wallet: Wallet = {
    ...prepared,
    owner,
    userId,
    type: 'INVISIBLE',
    status: 'PENDING',
    isPrimary: true,
    paymentsCursor: FIRST_CURSOR,
    activationRequestedAt: null,
    activatedAt: null,
    sponsoredReserves: 0,
    provedAt: null,
    createdAt: work.now,
    updatedAt: work.now,
  };
  work.put('wallets', wallet);
  work.audit({
    action: 'WALLET_CREATED',
    resourceType: 'Wallet',
    resourceId: wallet.id,
    ...(userId === null ? {} : { userId }),
    after: { owner, address: wallet.address, type: wallet.type, status: wallet.status },
  });
  return wallet;
};
