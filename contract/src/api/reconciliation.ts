// Reconciliation: where the books and the outside systems differ.

import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { Limit, Nullable, Strict, Text, Timestamp } from './fields.ts';

export const BREAK_KINDS = ['wallet-usdc', 'wallet-xlm', 'contract', 'payment-float'] as const;

export type BreakKind = (typeof BREAK_KINDS)[number];

const Kind = Type.Enum(BREAK_KINDS, {
  description:
    'What differs: an asset at one of our addresses, an escrow contract, or what the payment provider holds.',
});

const Exact = (description: string) =>
  Type.String({ description: `${description} Decimal string with seven places.`, examples: ['25.0000000'] });

export const Break = Type.Object({
  kind: Kind,
  subject: Type.String({ description: 'The address, the contract, or `payment-provider`.' }),
  expected: Exact('What the books have there.'),
  actual: Exact('What the outside system shows.'),
  difference: Exact('Actual less expected.'),
  isOpen: Type.Boolean({ description: 'False once the two agree again.' }),
  ageSeconds: Type.Integer({ description: 'How long it has been there, or was there.' }),
  firstSeenAt: Timestamp('When it was first seen.'),
  lastSeenAt: Timestamp('When it was last seen.'),
  resolvedAt: Nullable(Timestamp('When the two were seen to agree again.')),
});

export const listBreaks = endpoint({
  method: 'GET',
  path: '/reconciliation/breaks',
  access: 'read',
  tag: 'Reconciliation',
  summary: 'List breaks',
  description:
    'Where the books and an outside system were seen to differ, twice in a row and with nothing on its way. ' +
    'An observation: it moves no money; `POST /users/{userId}/balance/sync` books what a user gained or lost.',
  query: Strict({
    limit: Type.Optional(Limit),
    cursor: Type.Optional(Text(300, 'The nextCursor of the page before.')),
    kind: Type.Optional(Kind),
    subject: Type.Optional(Text(100, 'Only breaks of this address or contract.')),
    open: Type.Optional(Type.Boolean({ description: 'Only open ones, or only resolved ones.' })),
  }),
  status: 200,
  wrapping: 'list',
  data: Break,
  errors: [],
});
