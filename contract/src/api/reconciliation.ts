// Reconciliation: differences between the books and the outside systems.

import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { Limit, Nullable, ShownAmount, Strict, Text, Timestamp } from './fields.ts';

/** The kind of break that does not concern the books: an event of the escrow provider that was not booked. */
export const ALERT_KIND = 'escrow-event';

export const BREAK_KINDS = ['wallet-usdc', 'wallet-xlm', 'contract', 'payment-float', 'escrow-event'] as const;

export type BreakKind = (typeof BREAK_KINDS)[number];

const Kind = Type.Enum(BREAK_KINDS, {
  description:
    'The kind of difference: an asset at one of our addresses, an escrow contract, the balance at the payment provider, or a ' +
    'signed escrow webhook about money that provider and ledger do not confirm.',
});

const Exact = (description: string) =>
  Type.String({ description: `${description} Decimal string with seven decimal places.`, examples: ['25.0000000'] });

export const Break = Type.Object({
  kind: Kind,
  subject: Type.String({
    description:
      'The address, the contract, `payment-provider`, `credit-line` for a float that is below what the credit line allows, or the ' +
      'order of the webhook.',
  }),
  expected: Exact('The balance in the books; 0 for a webhook.'),
  actual: Exact('The balance at the outside system; for a webhook the amount that it reports.'),
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
    subject: Type.Optional(Text(100, 'Only breaks of this address, contract or order.')),
    open: Type.Optional(Type.Boolean({ description: 'Only open ones, or only resolved ones.' })),
  }),
  status: 200,
  wrapping: 'list',
  data: Break,
  errors: [],
});

export const FloatTotal = Type.Object({
  currency: Type.Enum(['USD'], { description: "Currency of the payment provider's balance.", examples: ['USD'] }),
  held: ShownAmount('What the books of all marketplaces have at the payment provider.'),
  inTransit: ShownAmount('Float on its way from one marketplace to another.'),
  provider: Nullable(ShownAmount("The payment provider's balance now. Null when it does not answer.")),
  difference: Nullable(ShownAmount('What the provider has beyond the books.')),
  openPayments: Type.Integer({
    description:
      'Payments that may be completed at the provider and not in the books yet; they may explain a difference.',
    examples: [0],
  }),
});

export const getFloatTotal = endpoint({
  method: 'GET',
  path: '/reconciliation/float',
  access: 'master',
  tag: 'Reconciliation',
  summary: 'Compare the float of all marketplaces',
  description:
    "The float of all marketplaces together, beside the payment provider's balance. A marketplace sees only its own float; see " +
    '`GET /marketplaces` for the parts.',
  status: 200,
  wrapping: 'plain',
  data: FloatTotal,
  errors: [],
});
