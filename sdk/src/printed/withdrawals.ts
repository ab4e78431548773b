// What these routes take and give.
// Printed from contract/src/api/withdrawals.ts by `node scripts/print-sdk.ts`; do not edit it by hand.

import type { CurrencyCode } from './fields.ts';

export type Withdrawal = {
  /** Withdrawal id; the payment provider's code for it too. */
  id: string;
  /** Whose money it is. */
  userId: string;
  /** What is paid out. Decimal string with two places. */
  amount: string;
  /** Currency code. */
  currency: CurrencyCode;
  status: 'WITHDRAWAL_CREATED' | 'WITHDRAWAL_COMMITTED' | 'WITHDRAWAL_PENDING' | 'WITHDRAWAL_PENDING_USER_ACTION' | 'WITHDRAWAL_COMPLETED' | 'WITHDRAWAL_FAILED' | 'WITHDRAWAL_CANCELED';
  destination: {
    /** bank and payment_account are paid through the payment provider, crypto over the ledger. */
    type: 'bank' | 'crypto' | 'payment_account';
    ref: string | null;
    /** On the ledger. */
    address: string | null;
    /** Whom the payment provider pays. */
    email: string | null;
  };
  /** The payment provider's id; null until it has answered. */
  providerPayoutId: string | null;
  /** Of the payment on the ledger. */
  transactionHash: string | null;
  /** What the user has to do before it is paid. */
  actionRequired: string | null;
  /** Where. */
  actionUrl: string | null;
  /** Why it failed or was cancelled. */
  failureReason: string | null;
  /** The code of whoever refused it. */
  errorCode: string | null;
  /** Who cancelled it. */
  canceledBy: string | null;
  /** When it was committed. */
  committedAt: string | null;
  /** When it was paid. */
  completedAt: string | null;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
};

export type CreateWithdrawalInput = {
  /** Whose money it is. */
  userId: string;
  /** Positive decimal string with at most two places. */
  amount: string;
  /** Currency code. */
  currency: CurrencyCode;
  destination: {
    /** bank and payment_account are paid through the payment provider, crypto over the ledger. */
    type: 'bank' | 'crypto' | 'payment_account';
    /** Your own label of it, such as the end of an account number. */
    ref?: string;
    /** Of crypto: the address on the ledger. */
    address?: string;
    /** Of the others: whom the payment provider pays, where the user has linked no account. */
    email?: string;
  };
  /** Pay it out at once. */
  commit?: boolean;
};

export type ListWithdrawalsQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
  /** Only records created after this date or time. */
  createdAfter?: string;
  /** Only records created before this date or time. */
  createdBefore?: string;
  /** Only withdrawals of this user. */
  userId?: string;
  status?: 'WITHDRAWAL_CREATED' | 'WITHDRAWAL_COMMITTED' | 'WITHDRAWAL_PENDING' | 'WITHDRAWAL_PENDING_USER_ACTION' | 'WITHDRAWAL_COMPLETED' | 'WITHDRAWAL_FAILED' | 'WITHDRAWAL_CANCELED';
};
