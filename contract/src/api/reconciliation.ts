// Reconciliation: differences between the books and the outside systems.

import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { Limit, Nullable, Strict, Text, Timestamp } from './fields.ts';

export const BREAK_KINDS = ['wallet-usdc', 'wallet-xlm', 'contract', 'payment-float'] as const;

export type BreakKind = (typeof BREAK_KINDS)[number];

const Kind = Type.Enum(BREAK_KINDS, {
  description:
    'The kind of difference: an asset at one of our addresses, an escrow contract, or the balance at the payment provider.',
});

const Exact = (description: string) =>
  Type.String({ description: `${description} Decimal string with seven decimal places.`, examples: ['25.0000000'] });

export const Break = Type.Object({
  kind: Kind,
  subject: Type.String({ description: 'The address, the contract, or `payment-provider`.' }),
  expected: Exact('The balance in the books.'),
  actual: Exact('The balance at the outside system.'),
  difference: Exact('Actual minus expected.'),
  isOpen: Type.Boolean({ description: 'False once the two agree again.' }),
  ageSeconds: Type.Integer({ description: 'Age of the difference; for a resolved one, how long it lasted.' }),
  firstSeenAt: Timestamp('When the difference was first seen.'),
  lastSeenAt: Timestamp('When the difference was last seen.'),
  resolvedAt: Nullable(Timestamp('When both sides agreed again.')),
});

export const listBreaks = endpoint({
  method: 'GET',
  path: '/reconciliation/breaks',
  access: 'read',
  tag: 'Reconciliation',
  summary: 'List breaks',
  description:
    'Differences between the books and an outside system, seen twice in a row with no transaction pending. A break is an ' +
    'observation and moves no money; `POST /users/{userId}/balance/sync` books what a user gained or lost.',
  query: Strict({
    limit: Type.Optional(Limit),
    cursor: Type.Optional(Text(300, 'The nextCursor of the previous page.')),
    kind: Type.Optional(Kind),
    subject: Type.Optional(Text(100, 'Only breaks of this address or contract.')),
    open: Type.Optional(Type.Boolean({ description: 'Only open ones, or only resolved ones.' })),
  }),
  status: 200,
  wrapping: 'list',
  data: Break,
  errors: [],
});
