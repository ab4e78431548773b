// A deposit on the ledger: one row per operation of the network, so that it is credited once.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { Amount } from '../../books/money.ts';
import { table } from '../../commit/tables.ts';
import type { Asset } from '../keys/wallet.ts';

export type Deposit = {
  /** The network's operation id: one transaction may hold several payments. */
  readonly id: string;
  readonly walletId: string;
  readonly userId: string | null;
  readonly transactionHash: string;
  readonly fromAddress: string;
  readonly asset: Asset;
  readonly currency: Currency;
  readonly amount: Amount;
  readonly occurredAt: string;
  readonly createdAt: string;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    deposits: Deposit;
  }
  interface Lookups {
    deposits: Record<never, string>;
  }
}

export const DEPOSITS = table('deposits', {
  notFound: 'INTERNAL_ERROR',
  sql: 'deposits',
  columns: [
    'id',
    'walletId',
    'userId',
    'transactionHash',
    'fromAddress',
    'asset',
    'currency',
    'amount',
    'occurredAt',
    'createdAt',
  ],
  lookups: {},
});
