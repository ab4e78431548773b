// A transaction that we signed, stored before it is sent. At most one per source wallet is on its way.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { Asset } from './wallet.ts';

/** What a transaction does when it succeeds. Amounts are whole units of 10^-7 as text, because this is kept as JSON. */
export type LedgerAction =
  /** An account was made with this much of the native asset, and trusts the asset. */
  | {
      readonly type: 'activate';
      readonly walletId: string;
      readonly address: string;
      readonly units: string;
      readonly paymentId: string | null;
    }
  /** The source itself now trusts the asset. */
  | { readonly type: 'trust'; readonly walletId: string }
  /** From the source to another address; the address is one of our own wallets unless `outside` is set. */
  | {
      readonly type: 'pay';
      readonly to: string;
      readonly asset: Asset;
      readonly currency: Currency;
      readonly units: string;
      readonly paymentId: string | null;
      readonly outside?: boolean;
    };

export type LedgerTransaction = {
  /** Its hash. */
  readonly id: string;
  readonly source: string;
  readonly purpose: string;
  /** The signed envelope, as it is sent and sent again. */
  readonly envelope: string;
  readonly state: 'SIGNED' | 'SUCCEEDED' | 'FAILED';
  readonly validUntil: string;
  readonly actions: readonly LedgerAction[];
  readonly failure: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};
