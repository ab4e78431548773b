// A withdrawal in replies.

import { formatAmount } from '../../books/money.ts';
import type { Withdrawal } from './withdrawal.ts';

export const presentWithdrawal = (withdrawal: Withdrawal) => ({
  id: withdrawal.id,
  userId: withdrawal.userId,
  amount: formatAmount(withdrawal.amount),
  currency: withdrawal.currency,
  status: withdrawal.status,
  destination: {
    type: withdrawal.destinationType,
    ref: withdrawal.destinationRef,
    address: withdrawal.address,
    ...(withdrawal.memo === null || withdrawal.memoType === null
      ? {}
      : { memo: withdrawal.memo, memoType: withdrawal.memoType }),
    email: withdrawal.email,
  },
  providerPayoutId: withdrawal.providerPayoutId,
  transactionHash: withdrawal.transactionId,
  actionRequired: withdrawal.actionRequired,
  actionUrl: withdrawal.actionUrl,
  failureReason: withdrawal.failureReason,
  errorCode: withdrawal.errorCode,
  canceledBy: withdrawal.canceledBy,
  committedAt: withdrawal.committedAt,
  completedAt: withdrawal.completedAt,
  createdAt: withdrawal.createdAt,
  updatedAt: withdrawal.updatedAt,
});
