// The marketplaces of this server and their float at the payment provider, for its operator.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { CurrencyCode, Limit, Nullable, ShownAmount, Strict, Text, Timestamp } from './fields.ts';

export const MARKETPLACE_COUNTED_MAX = 1_000;

const Count = (description: string) => Type.Integer({ maximum: MARKETPLACE_COUNTED_MAX, description, examples: [12] });

const FloatCurrency = Type.Enum(['USD'], {
  description: "Currency of the payment provider's balance.",
  examples: ['USD'],
});

export const Float = Type.Object(
  {
    currency: FloatCurrency,
    held: ShownAmount('Money of the marketplace at the payment provider. Below zero when it used its credit line.'),
    allotted: ShownAmount(
      "The operator's part, which can be taken back: what was allotted, less what payouts have used. Payouts use the deposits first.",
    ),
    pendingPayouts: ShownAmount('Open withdrawals that the payment provider pays.'),
    creditLine: ShownAmount('How far below zero the operator lets the float go.'),
    creditUsed: ShownAmount('How much of the credit line the paid and the open withdrawals use.'),
    available: ShownAmount('What may still be withdrawn: held, plus the credit line, less the open withdrawals.'),
  },
  { description: 'The float of the marketplace at the payment provider.' },
);

// Limits for one day, set by the operator: on money that is credited by hand, and on money that leaves.

/** The limits by name; each holds for one day in UTC and one currency. */
const DAY_LIMITS = {
  manualCreditPerUserDay: 'The most that one user can be credited by hand in a day.',
  manualCreditPerDay: 'The most that all users together can be credited by hand in a day.',
  withdrawalPerUserDay: 'The most that one user can withdraw in a day.',
  withdrawalPerDay: 'The most that all users together can withdraw in a day.',
} as const;

export type DayLimitName = keyof typeof DAY_LIMITS;

const namesOf = <T>(schemaOf: (description: string) => T): Record<DayLimitName, T> => ({
  manualCreditPerUserDay: schemaOf(DAY_LIMITS.manualCreditPerUserDay),
  manualCreditPerDay: schemaOf(DAY_LIMITS.manualCreditPerDay),
  withdrawalPerUserDay: schemaOf(DAY_LIMITS.withdrawalPerUserDay),
  withdrawalPerDay: schemaOf(DAY_LIMITS.withdrawalPerDay),
});

export const MarketplaceLimits = Type.Object({
  marketplaceId: Type.String({ description: 'The marketplace.' }),
  currency: CurrencyCode,
  ...namesOf((description) => Nullable(ShownAmount(`${description} Null: no limit.`))),
  usedToday: Type.Object(
    {
      manualCredit: ShownAmount('Credited by hand today.'),
      withdrawal: ShownAmount('Withdrawn today, without withdrawals whose money has returned.'),
      resetsAt: Timestamp('When the next day begins.'),
    },
    { description: 'What the marketplace has used since 00:00 UTC. Counting begins when the first limit is set.' },
  ),
  updatedAt: Timestamp('When the limits were last set.'),
});

const PaymentAccount = Type.Object(
  {
    account: Type.Enum(['shared', 'own'], {
      description:
        '`shared`: new payments use the account of the settings. `own`: they use an account of the marketplace.',
    }),
    since: Nullable(
      Timestamp('When the current credentials of the own account were set. Null with the shared account.'),
    ),
  },
  {
    description: 'The account at the payment provider for new payments; see `GET /marketplaces/{id}/payment-provider`.',
  },
);

export const Marketplace = Type.Object({
  id: Type.String({
    description: 'Send it as `X-Marketplace-Id` to act in this marketplace.',
    examples: ['mkt_default'],
  }),
  createdAt: Timestamp('When the first record of the marketplace was written.'),
  users: Count('Number of users.'),
  orders: Count('Number of orders.'),
  keys: Count('Number of API keys, including revoked ones.'),
  float: Float,
  paymentAccount: PaymentAccount,
  limits: Type.Array(MarketplaceLimits, { description: 'One entry for each currency that limits were set for.' }),
});

const COUNTED = `At most ${MARKETPLACE_COUNTED_MAX} users, orders and keys of each are counted; a count at this maximum may be higher.`;

export const listMarketplaces = endpoint({
  method: 'GET',
  path: '/marketplaces',
  access: 'master',
  tag: 'Marketplaces',
  summary: 'List marketplaces',
  description: `All marketplaces that have at least one record. ${COUNTED}`,
  query: Strict({
    limit: Type.Optional(Limit),
    cursor: Type.Optional(Text(300, 'The nextCursor of the previous page.')),
  }),
  status: 200,
  wrapping: 'list',
  data: Marketplace,
  errors: [],
});

// A malformed id is answered like an unknown id: 404 and not 400.
const MarketplaceParams = Strict({ id: Type.String({ maxLength: 64, description: 'Marketplace id.' }) });

export const getMarketplace = endpoint({
  method: 'GET',
  path: '/marketplaces/:id',
  access: 'master',
  tag: 'Marketplaces',
  summary: 'Get a marketplace',
  description: `The marketplace with its float at the payment provider. ${COUNTED}`,
  params: MarketplaceParams,
  status: 200,
  wrapping: 'plain',
  data: Marketplace,
  errors: ['MARKETPLACE_NOT_FOUND'],
});

export const FloatTransfer = Type.Object({
  id: Type.String({ description: 'Id of the transfer; the postings in both marketplaces name it.' }),
  from: Type.String({ description: 'The marketplace that gave the float, or `payment-provider`.' }),
  to: Type.String({ description: 'The marketplace that received it, or `payment-provider`.' }),
  amount: ShownAmount('Amount of the transfer.'),
  currency: FloatCurrency,
  createdAt: Timestamp('When the first marketplace gave the float.'),
  arrivedAt: Nullable(Timestamp('When the other marketplace had it. Null while it is in transit.')),
  float: Float,
});

const SignedAmount = Type.String({
  maxLength: LIMITS.amountLength + 1,
  description: 'Decimal string with at most two decimal places. A negative amount takes float back.',
  examples: ['10000.00', '-2500.00'],
});

export const allotFloat = endpoint({
  method: 'POST',
  path: '/marketplaces/:id/float',
  access: 'master',
  tag: 'Marketplaces',
  summary: 'Allot float to a marketplace',
  description:
    "The operator's own money at the payment provider belongs to `mkt_default` until it is allotted. A positive amount moves it from " +
    '`mkt_default` to the marketplace. A negative amount takes back what was allotted, is still there and is not promised to open ' +
    'withdrawals; the deposits of its users stay, unless the marketplace has its own account at the provider by now. For `mkt_default` it books money that the operator added at the provider, or took out there with a ' +
    'negative amount: at most what the balance of the provider shows beyond all books, or lacks.',
  params: MarketplaceParams,
  body: Strict({ amount: SignedAmount, currency: FloatCurrency }),
  status: 201,
  wrapping: 'plain',
  data: FloatTransfer,
  errors: ['INVALID_AMOUNT', 'MARKETPLACE_NOT_FOUND', 'INSUFFICIENT_FUNDS', 'PROVIDER_TIMEOUT'],
  idempotent: true,
});

export const setCreditLine = endpoint({
  method: 'PUT',
  path: '/marketplaces/:id/credit-line',
  access: 'master',
  tag: 'Marketplaces',
  summary: "Set a marketplace's credit line",
  description:
    'Lets the marketplace pay out up to this amount beyond its own float, from the money of the operator and of other marketplaces at the ' +
    'payment provider. 0.00 ends the credit line: what is already used stays owed, and open withdrawals beyond it cannot be committed.',
  params: MarketplaceParams,
  body: Strict({
    amount: Type.String({
      maxLength: LIMITS.amountLength,
      description: 'Decimal string of at least 0.00 with at most two decimal places.',
      examples: ['5000.00'],
    }),
    currency: FloatCurrency,
  }),
  status: 200,
  wrapping: 'plain',
  data: Marketplace,
  errors: ['INVALID_AMOUNT', 'MARKETPLACE_NOT_FOUND'],
});

const LimitAmount = (description: string) =>
  Type.Optional(
    Nullable(
      Type.String({
        pattern: '^\\d{1,11}(\\.\\d{1,2})?$',
        description: `${description} Decimal string with at most two decimal places; 0.00 forbids it. Null or left out: no limit.`,
        examples: ['500.00'],
      }),
    ),
  );

const limiting = {
  tag: 'Marketplaces',
  access: 'master',
  params: MarketplaceParams,
  path: '/marketplaces/:id/limits',
  status: 200,
  wrapping: 'plain',
  errors: ['MARKETPLACE_NOT_FOUND'],
} as const;

export const getMarketplaceLimits = endpoint({
  ...limiting,
  method: 'GET',
  summary: 'Get the limits of a marketplace',
  description: 'One entry for each currency that limits were set for.',
  data: Type.Object({ limits: Type.Array(MarketplaceLimits) }),
});

export const setMarketplaceLimits = endpoint({
  ...limiting,
  method: 'PUT',
  summary: 'Set the limits of a marketplace',
  description:
    'Replaces the limits of one currency. They hold for manual credits and new withdrawals from now on: an amount beyond a limit is 422 ' +
    '`DAILY_LIMIT_EXCEEDED` with the figures in `details`. A day begins at 00:00 UTC.',
  body: Strict({ currency: CurrencyCode, ...namesOf(LimitAmount) }),
  data: MarketplaceLimits,
});
