// The rows of money in and out through the payment provider, mapped to SQL.

import type { Spec } from './table-columns.ts';

export const PAYMENT_TABLES: { readonly [T in 'topups' | 'floatOpenings' | 'withdrawals']: Spec<T> } = {
  topups: {
    sql: 'topups',
    columns: [
      'id',
      'userId',
      'amount',
      'currency',
      'description',
      'status',
      'providerPayinId',
      'confirmationUri',
      'returnUrl',
      'cancelUrl',
      'cancelAsk',
      'failureReason',
      'errorCode',
      'fee',
      'requestKey',
      'createdAt',
      'updatedAt',
    ],
    lookups: {
      requestKey: {
        sql: 't.request_key',
        where: { sql: 't.request_key is not null', holds: (row) => row.requestKey !== null },
        value: (row) => row.requestKey ?? '',
      },
    },
  },
  floatOpenings: {
    sql: 'float_openings',
    columns: ['id', 'amount', 'createdAt'],
    lookups: {},
  },
  withdrawals: {
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
  },
};
