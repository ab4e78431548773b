// A user's reservations: the reserved amounts and their orders.

import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { CurrencyCode, Limit, Nullable, ShownAmount, Strict, Text, Timestamp } from './fields.ts';

export const Reservation = Type.Object({
  orderId: Nullable(
    Type.String({
      description: 'The order, the withdrawal or your reference of the reservation; null when it was made without one.',
      examples: ['ord_01J9ZQ8H7K5M3N2P4R6S8T0V1W'],
    }),
  ),
  amount: ShownAmount('Total amount ever reserved under this reference.'),
  remaining: ShownAmount('Amount still reserved.'),
  currency: CurrencyCode,
  createdAt: Timestamp('When the reservation last became active.'),
  updatedAt: Timestamp('When it last changed.'),
  active: Type.Boolean({ description: 'Whether any amount is still reserved.' }),
});

export const listReservations = endpoint({
  method: 'GET',
  path: '/users/:id/reservations',
  access: 'read',
  tag: 'Users',
  summary: 'List reservations',
  description: 'Current and past reservations. The active ones of a currency add up to the reserved balance.',
  params: Strict({ id: Type.String({ maxLength: 64, description: 'User id.' }) }),
  query: Strict({
    limit: Type.Optional(Limit),
    cursor: Type.Optional(Text(600, 'The nextCursor of the previous page.')),
    active: Type.Optional(Type.Boolean({ description: 'Only active reservations, or only used-up ones.' })),
    currency: Type.Optional(CurrencyCode),
  }),
  status: 200,
  wrapping: 'list',
  data: Reservation,
  errors: ['USER_NOT_FOUND'],
});
