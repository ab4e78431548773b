// Something the treasury is asked to pay to one of our wallets: the making of its account, or an amount that it lacks.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { Amount } from '../../books/money.ts';
import type { Asset } from '../keys/wallet.ts';

export type TreasuryPayment = {
  readonly id: string;
  readonly kind: 'activate' | 'pay';
  readonly walletId: string;
  readonly address: string;
  readonly asset: Asset;
  readonly currency: Currency;
  readonly amount: Amount;
  /** The order or withdrawal it is for. */
  readonly reference: string | null;
  readonly state: 'QUEUED' | 'SENT' | 'DONE' | 'FAILED';
  /** After a failure in company it is sent alone. */
  readonly alone: boolean;
  readonly transactionId: string | null;
  readonly failure: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};
