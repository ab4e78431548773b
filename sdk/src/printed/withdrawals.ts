// What these routes take and give.
// Printed from contract/src/api/withdrawals.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

import type { Amount, AmountInput } from '../amounts.ts';
import type { CurrencyCode } from './fields.ts';

export type Withdrawal = {
  /** Withdrawal id, which is also the code at the payment provider. */
  id: string;
  /** The user whose balance pays. */
  userId: string;
  /** The amount paid out. Decimal string with two decimal places. */
  amount: Amount;
  /** Currency code. */
  currency: CurrencyCode;
  status: 'WITHDRAWAL_CREATED' | 'WITHDRAWAL_COMMITTED' | 'WITHDRAWAL_PENDING' | 'WITHDRAWAL_PENDING_USER_ACTION' | 'WITHDRAWAL_COMPLETED' | 'WITHDRAWAL_FAILED' | 'WITHDRAWAL_CANCELED';
  destination: {
    /** The payment provider pays bank and payment_account; crypto is paid over the ledger. */
    type: 'bank' | 'crypto' | 'payment_account';
    ref: string | null;
    /** Address on the ledger. */
    address: string | null;
    /** Memo of the payment on the ledger, if there is one. */
    memo?: string;
    /** text: at most 28 bytes. id: a whole number below 2^64. hash and return: 64 hexadecimal digits. */
    memoType?: 'text' | 'id' | 'hash' | 'return';
    /** E-mail of the receiver at the payment provider. */
    email: string | null;
  };
  /** The payment provider's id; null until it has answered. */
  providerPayoutId: string | null;
  /** Hash of the payment on the ledger. */
  transactionHash: string | null;
  /** What the user has to do before the payout. */
  actionRequired: string | null;
  /** URL where the user does it. */
  actionUrl: string | null;
  /** Why the withdrawal failed or was cancelled. */
  failureReason: string | null;
  /** The error code of the payment provider or the ledger. */
  errorCode: string | null;
  /** Who cancelled the withdrawal. */
  canceledBy: string | null;
  /** When the withdrawal was committed. */
  committedAt: string | null;
  /** When the withdrawal was paid. */
  completedAt: string | null;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
};

export type CreateWithdrawalInput = {
  /** The user whose balance pays. */
  userId: string;
  /** Positive decimal string with at most two decimal places. */
  amount: AmountInput;
  /** Currency code. */
  currency: CurrencyCode;
  destination: {
    /** The payment provider pays bank and payment_account; crypto is paid over the ledger. */
    type: 'bank' | 'payment_account';
    /** Your label, such as the end of an account number. For crypto without address: the address. */
    ref?: string;
    address?: never;
    memo?: never;
    memoType?: never;
    /**
     * For bank and payment_account: the e-mail of the receiver. It must belong to the linked account when the user has
     * one.
     */
    email?: string;
  } | {
    /** The payment provider pays bank and payment_account; crypto is paid over the ledger. */
    type: 'crypto';
    /** Your label, such as the end of an account number. For crypto without address: the address. */
    ref?: string;
    /** For crypto: the address on the ledger, G… or muxed M…. */
    address: string;
    memo?: never;
    memoType?: never;
    email?: never;
  } | {
    /** The payment provider pays bank and payment_account; crypto is paid over the ledger. */
    type: 'crypto';
    /** Your label, such as the end of an account number. For crypto without address: the address. */
    ref?: string;
    /** For crypto: the address on the ledger, G… or muxed M…. */
    address: string;
    /** For crypto: the memo of the payment. Exchanges assign deposits by it. */
    memo: string;
    /** text: at most 28 bytes. id: a whole number below 2^64. hash and return: 64 hexadecimal digits. */
    memoType: 'text' | 'id' | 'hash' | 'return';
    email?: never;
  };
  /** Pays the withdrawal out at once. */
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
