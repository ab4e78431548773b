// Money that a user takes out: through the payment provider, or over the ledger from the user's custodial wallet. Its id is
// the provider's own code for the payment, so that one whose answer was lost is found again.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { DestinationType, WithdrawalStatus } from '@holdfast/contract/states.ts';
import { type Amount, minus } from '../../books/money.ts';
import { table } from '../../commit/tables.ts';

export type Withdrawal = {
  readonly id: string;
  readonly userId: string;
  readonly amount: Amount;
  readonly currency: Currency;
  readonly status: WithdrawalStatus;
  readonly destinationType: DestinationType;
  /** The caller's own label of the destination. */
  readonly destinationRef: string | null;
  /** On the ledger; only of crypto. */
  readonly address: string | null;
  /** Whom the payment provider pays; only of the others. */
  readonly email: string | null;
  /** The wallet that pays; only of crypto. */
  readonly walletId: string | null;
  /** What of it has been paid for certain. */
  readonly paid: Amount;
  /** Null until the provider has answered: before that nothing can have been paid there. */
  readonly providerPayoutId: string | null;
  /** Of the ledger's transaction that is on its way, or that paid it. */
  readonly transactionId: string | null;
  /** Why it is taken back at the provider: as soon as that is done, it has failed. */
  readonly refusal: Refusal | null;
  readonly actionRequired: string | null;
  readonly actionUrl: string | null;
  readonly failureReason: string | null;
  readonly errorCode: string | null;
  readonly canceledBy: string | null;
  readonly committedAt: string | null;
  readonly completedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type Refusal = { readonly reason: string; readonly code: string | null };

const ENDS: readonly WithdrawalStatus[] = ['WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED'];

export const isEnded = ({ status }: Pick<Withdrawal, 'status'>): boolean => ENDS.includes(status);

/** Committed and not over: it may be paid at any moment. */
export const isUnderWay = (withdrawal: Pick<Withdrawal, 'status'>): boolean =>
  !isEnded(withdrawal) && withdrawal.status !== 'WITHDRAWAL_CREATED';

/** What is still to be paid. */
export const restOf = ({ amount, paid }: Pick<Withdrawal, 'amount' | 'paid'>): Amount => minus(amount, paid);

declare module '../../commit/tables.ts' {
  interface Tables {
    withdrawals: Withdrawal;
  }
  interface Lookups {
    withdrawals: Record<never, string>;
  }
}

export const WITHDRAWALS = table('withdrawals', {
  notFound: 'WITHDRAWAL_NOT_FOUND',
  sql: 'withdrawals',
  columns: [
    'id',
    'userId',
    'amount',
    'currency',
    'status',
    'destinationType',
    'destinationRef',
    'address',
    'email',
    'walletId',
    'paid',
    'providerPayoutId',
    'transactionId',
    'refusal',
    'actionRequired',
    'actionUrl',
    'failureReason',
    'errorCode',
    'canceledBy',
    'committedAt',
    'completedAt',
    'createdAt',
    'updatedAt',
  ],
  lookups: {},
});
