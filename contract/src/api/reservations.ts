// A user's reservations: what is set aside, and for which order.

import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { CurrencyCode, Limit, Nullable, ShownAmount, Strict, Text, Timestamp } from './fields.ts';

export const Reservation = Type.Object({
  orderId: Nullable(
    Type.String({
      description:
        'The order, withdrawal or reference of yours that it is for; null when it was set aside without one.',
      examples: ['ord_01J9ZQ8H7K5M3N2P4R6S8T0V1W'],
    }),
  ),
  amount: ShownAmount('All that was ever set aside under it.'),
  remaining: ShownAmount('What is still set aside.'),
  currency: CurrencyCode,
  createdAt: Timestamp('When it last went from nothing to something.'),
  updatedAt: Timestamp('When it last changed.'),
  active: Type.Boolean({ description: 'Whether anything is still set aside.' }),
});

export const listReservations = endpoint({
  method: 'GET',
  path: '/users/:id/reservations',
  access: 'read',
  tag: 'Users',
  summary: 'List reservations',
  description: 'What is set aside of the balance, and was; the active ones of a currency add up to what is reserved.',
  params: Strict({ id: Type.String({ maxLength: 64, description: 'User id.' }) }),
  query: Strict({
    limit: Type.Optional(Limit),
    cursor: Type.Optional(Text(600, 'The nextCursor of the page before.')),
    active: Type.Optional(Type.Boolean({ description: 'Only active ones, or only those that are used up.' })),
    currency: Type.Optional(CurrencyCode),
  }),
  status: 200,
  wrapping: 'list',
  data: Reservation,
  errors: ['USER_NOT_FOUND'],
});
