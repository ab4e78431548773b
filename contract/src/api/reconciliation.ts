// Reconciliation: differences between the books and the outside systems.

import Type from 'typebox';
import { BREAK_KINDS, type BreakKind } from '../states.ts';
import { endpoint } from './endpoint.ts';
import { Limit, Nullable, SHOWN, ShownAmount, Strict, Text, Timestamp } from './fields.ts';

/** The kind of break that does not concern the books: an event of the escrow provider that was not booked. */
export const ALERT_KIND = 'escrow-event';

/** Kinds of breaks about payments that are booked as they happened, and about which a person has to decide something. */
export const PAYMENT_ALERT_KINDS = ['payout-amount', 'late-topup'] as const satisfies readonly BreakKind[];

/** Breaks that say nothing about the books: the proof holds beside them. */
export const ALERT_KINDS: readonly string[] = [ALERT_KIND, ...PAYMENT_ALERT_KINDS];

const Kind = Type.Enum(BREAK_KINDS, {
  description:
    'The kind of difference: an asset at one of our addresses, an escrow contract, the balance at the payment provider, a ' +
    'signed escrow webhook about money that provider and ledger do not confirm, a payment to one of our addresses that cannot be ' +
    'credited, an order whose funding brought less into its contract than its amount, a payment of one of our wallets on the ledger that ' +
    'nothing in the books explains, a payout of the payment provider without a withdrawal, a payout that the payment provider executed ' +
    'over another amount, or a top-up that was paid after it had ended.',
});

const Exact = (description: string) =>
  Type.String({
    description: `${description} Decimal string with seven decimal places.`,
    examples: ['25.0000000'],
    ...SHOWN,
  });

export const Break = Type.Object({
  id: Type.String({
    description: 'Kind and subject, joined by a colon. The `resourceId` of a correction `close-break`.',
    examples: ['wallet-usdc:GA2C5RFPE6GCKMY3US5PAB6UZLKIGSPIUKSLRB6Q723BM2OARMDUYEJ5'],
  }),
  kind: Kind,
  subject: Type.String({
    description:
      'The address, the contract, `payment-provider`, `credit-line` for a float that is below what the credit line allows, the ' +
      'order of the webhook, the ledger operation of a payment that was not credited, the order of a short funding, the transaction and ' +
      'the number of an unexplained payment in it, the payout at the payment provider, the withdrawal, or ' +
      'the top-up.',
  }),
  expected: Exact(
    'The balance in the books; 0 for a webhook, a late top-up, a payment that was not credited, and what nothing explains; the amount of the order for a short ' +
      'funding, and of the withdrawal for a payout.',
  ),
  actual: Exact(
    'The balance at the outside system; for a webhook the amount that it reports, for a payment, payout or top-up its amount, for a ' +
      'short funding what is in the contract.',
  ),
  difference: Exact('Actual minus expected.'),
  reason: Nullable(
    Type.String({
      description: 'What happened with a payment, in a sentence. Null for a difference between two balances.',
      examples: ['The payment is in another asset (EURC).'],
    }),
  ),
  owner: Nullable(
    Type.Enum(['user', 'treasury', 'platform'] as const, {
      description:
        'Whose address it is: of a user, of the treasury, or of the wallet for platform fees. Null for other subjects.',
    }),
  ),
  userId: Nullable(Type.String({ description: 'The user of the address, the withdrawal or the top-up.' })),
  orderId: Nullable(Type.String({ description: 'The order of the contract, the webhook or the funding.' })),
  isOpen: Type.Boolean({ description: 'False once the two agree again, or once a correction has closed it.' }),
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
    from: Type.Optional(Timestamp('Only breaks first seen at or after this time.')),
    to: Type.Optional(Timestamp('Only breaks first seen before this time.')),
  }),
  status: 200,
  wrapping: 'list',
  data: Break,
  errors: [],
});

/** The kind under which surpluses are stored beside the breaks. No break has it. */
export const SURPLUS_KIND = 'surplus';

export const Surplus = Type.Object({
  contractId: Type.String({ description: 'The escrow contract.' }),
  orderId: Nullable(Type.String({ description: 'The order of the contract.' })),
  expected: Exact('What the contract has to hold.'),
  actual: Exact('What the contract holds.'),
  amount: Exact('What others paid into the contract.'),
  isOpen: Type.Boolean({ description: 'False once the money is out of the contract.' }),
  firstSeenAt: Timestamp('When the surplus was first seen.'),
  lastSeenAt: Timestamp('When the surplus was last seen.'),
  resolvedAt: Nullable(Timestamp('When the contract held nothing more of it.')),
});

export const listSurpluses = endpoint({
  method: 'GET',
  path: '/reconciliation/surplus',
  access: 'read',
  tag: 'Reconciliation',
  summary: 'List surpluses of escrow contracts',
  description:
    'Money in escrow contracts beyond what their orders need: any account of the ledger can pay into a contract. A surplus is no break: no order ' +
    "lacks anything. A refund, a split and the last milestone pay it out to the platform's wallet, and the books take it in as " +
    '`operator:escrow-surplus`. The release of an order without several milestones leaves it in the contract.',
  query: Strict({
    limit: Type.Optional(Limit),
    cursor: Type.Optional(Text(300, 'The nextCursor of the previous page.')),
    contractId: Type.Optional(Text(100, 'Only this contract.')),
    open: Type.Optional(Type.Boolean({ description: 'Only those still in a contract, or only the others.' })),
  }),
  status: 200,
  wrapping: 'list',
  data: Surplus,
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
