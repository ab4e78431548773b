// The balances of the caller, and their changes.

import Type from 'typebox';
import { surfaceBEndpoint } from './endpoint.ts';
import { CurrencyCode, Id, Pagination, Paging, ShownMoney, Strict, Timestamp } from './fields.ts';

const reading = { method: 'GET', access: 'bearer', tag: 'Balances', refusals: [] } as const;

export const getBalances = surfaceBEndpoint({
  ...reading,
  path: '/balances',
  summary: 'Get balances',
  description: 'One entry for every currency.',
  data: Type.Object({
    balances: Type.Array(
      Type.Object({
        currency: CurrencyCode,
        available: ShownMoney('Available balance.'),
        held: ShownMoney('Amount reserved or in escrow.'),
      }),
    ),
  }),
  message: 'Balances retrieved successfully',
});

export const listTransactions = surfaceBEndpoint({
  ...reading,
  path: '/balances/transactions',
  summary: 'List transactions',
  description: 'Every change of the available balance, newest first.',
  query: Strict({ ...Paging, currency: Type.Optional(CurrencyCode) }),
  data: Type.Object({
    transactions: Type.Array(
      Type.Object({
        id: Id('transaction', 'Transaction id.'),
        type: Type.Enum(['credit', 'debit'] as const),
        amount: ShownMoney('Amount.'),
        currency: CurrencyCode,
        description: Type.String({ examples: ['Payment for order ord_01J9ZQ8H7K5M3N2P4R6S8T0V1W'] }),
        created_at: Timestamp('When it happened.'),
      }),
    ),
    pagination: Pagination,
  }),
  message: 'Transactions retrieved successfully',
});
