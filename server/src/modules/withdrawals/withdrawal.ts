// Money that a user takes out: through the payment provider, or over the ledger from the user's custodial wallet. The provider
// stores our id as the code of the payout, so a payout whose answer was lost is found again.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { DestinationType, MemoType, WithdrawalStatus } from '@holdfast/contract/states.ts';
import { type Amount, minus } from '../../books/money.ts';
import { table } from '../../commit/tables.ts';

export type Withdrawal = {
  readonly id: string;
  readonly userId: string;
  readonly amount: Amount;
  readonly currency: Currency;
  readonly status: WithdrawalStatus;
  readonly destinationType: DestinationType;
  /** The caller's label for the destination. */
  readonly destinationRef: string | null;
  /** The ledger address, G… or muxed M…, as it was given; only for crypto. */
  readonly address: string | null;
  /** The memo of the ledger payment, and its kind. */
  readonly memo: string | null;
  readonly memoType: MemoType | null;
  /** The recipient at the payment provider; only for the other destination types. */
  readonly email: string | null;
  /** The wallet that pays; only for crypto. */
  readonly walletId: string | null;
  /** The amount that was certainly paid. */
  readonly paid: Amount;
  /** What the payment provider paid, where it is another amount than the withdrawal's. */
  readonly executed: Amount | null;
  /** Null until the provider has answered: before that it cannot have paid anything. */
  readonly providerPayoutId: string | null;
  /** The credentials that the withdrawal began with and is finished with. Null: those of the shared account. */
  readonly credentialsId: string | null;
  /** The account at the provider that pays. Null: the account that all marketplaces share. */
  readonly providerAccount: string | null;
  /** The ledger transaction that is in progress, or that paid the withdrawal. */
  readonly transactionId: string | null;
  /** Why the payout is being cancelled at the provider. Once it is cancelled, the withdrawal has failed. */
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

/** Committed and not ended: it may be paid at any moment. */
export const isUnderWay = (withdrawal: Pick<Withdrawal, 'status'>): boolean =>
  !isEnded(withdrawal) && withdrawal.status !== 'WITHDRAWAL_CREATED';

/** The payment provider pays it from the shared account, where the marketplace has its float and others have theirs. */
export const isFromFloat = ({ address, providerAccount }: Pick<Withdrawal, 'address' | 'providerAccount'>): boolean =>
  address === null && providerAccount === null;

/** The amount that is still to be paid. */
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
    'memo',
    'memoType',
    'email',
    'walletId',
    'paid',
    'executed',
    'providerPayoutId',
    'credentialsId',
    'providerAccount',
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
