// A payment of the treasury to one of our wallets: the creation of its account, or an amount that it lacks.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { Amount } from '../../books/money.ts';
import { table } from '../../commit/tables.ts';
import type { Asset } from '../keys/wallet.ts';

export type TreasuryPayment = {
  readonly id: string;
  readonly kind: 'activate' | 'pay';
  readonly walletId: string;
  readonly address: string;
  readonly asset: Asset;
  readonly currency: Currency;
  readonly amount: Amount;
  /** The order or withdrawal that needs it. */
  readonly reference: string | null;
  readonly state: 'QUEUED' | 'SENT' | 'DONE' | 'FAILED';
  /** True after a batch failed: the payment is retried in its own transaction. */
  readonly alone: boolean;
  readonly transactionId: string | null;
  readonly failure: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    treasuryPayments: TreasuryPayment;
  }
  interface Lookups {
    treasuryPayments: { wallet: string };
  }
}

/** Lookup `wallet`: wallet id and kind, joined by a colon. A finished payment is not found, except an activation. */
export const TREASURY_PAYMENTS = table('treasuryPayments', {
  notFound: 'INTERNAL_ERROR',
  sql: 'treasury_payments',
  columns: [
    'id',
    'kind',
    'walletId',
    'address',
    'asset',
    'currency',
    'amount',
    'reference',
    'state',
    'alone',
    'transactionId',
    'failure',
    'createdAt',
    'updatedAt',
  ],
  lookups: {
    wallet: {
      sql: "(t.wallet_id || ':' || t.kind)",
      // A wallet has many payments over time; the finished ones do not matter for the next.
      where: {
        sql: "(t.kind = 'activate' or t.state in ('QUEUED', 'SENT'))",
        holds: (row) => row.kind === 'activate' || row.state === 'QUEUED' || row.state === 'SENT',
      },
      value: (row) => `${row.walletId}:${row.kind}`,
    },
  },
});
