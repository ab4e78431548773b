// Reports: where the money is, what happened lately, and what is waiting for somebody.

import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { CurrencyCode, Nullable, Strict, Timestamp } from './fields.ts';

const Exact = (description: string) =>
  Type.String({
    description: `${description} Decimal string with two places, or as many as it has.`,
    examples: ['25.00'],
  });

const common = { method: 'GET', access: 'read', tag: 'Reports', status: 200, wrapping: 'plain', errors: [] } as const;

/** Whose the money is. */
export const CLAIM_PLACES = [
  'user_available',
  'user_reserved',
  'in_escrow',
  'platform_fees',
  'payment_float_owed',
  'operator_adjustments',
] as const;

/** Where the money is. */
export const HOLDING_PLACES = [
  'user_wallets',
  'treasury_wallet',
  'platform_wallet',
  'contracts',
  'payment_float',
  'network_fees',
] as const;

export type ClaimPlace = (typeof CLAIM_PLACES)[number];
export type HoldingPlace = (typeof HOLDING_PLACES)[number];

const Claim = Type.Object({
  place: Type.Enum(CLAIM_PLACES, {
    description:
      'Whose it is: what users can spend, what is set aside for them, what lies in escrow, what the platform earned, what ' +
      'is owed at the payment provider, and what the operator put in by hand.',
  }),
  amount: Exact('Of the operator below zero for what was credited by hand without money behind it.'),
});

const Holding = Type.Object({
  place: Type.Enum(HOLDING_PLACES, {
    description:
      "Where it is: at the users' addresses, the treasury's, the platform's, in escrow contracts, at the payment provider, " +
      'and what was spent on fees of the networks.',
  }),
  amount: Exact('What is there by the books.'),
});

export const MoneyReport = Type.Object({
  asOf: Timestamp('The moment that all figures are of.'),
  currencies: Type.Array(
    Type.Object({
      currency: CurrencyCode,
      claims: Type.Array(Claim, { description: 'Whose it is; every place, also an empty one.' }),
      holdings: Type.Array(Holding, { description: 'Where it is; every place, also an empty one.' }),
      claimsTotal: Exact('All claims together.'),
      holdingsTotal: Exact('All holdings together.'),
      difference: Exact('Claims less holdings: zero.'),
    }),
    { description: 'Those in which something was ever booked.' },
  ),
});

export const getMoneyReport = endpoint({
  ...common,
  path: '/reports/money',
  summary: 'Where every cent is',
  description:
    'What is owed and what is there, by place, at one moment. From the balances of the accounts; `GET /audit/proof` ' +
    'recomputes those from every posting.',
  data: MoneyReport,
});

export const ACTIVITY_DAYS = { usual: 30, max: 90 } as const;

const SettlementTimes = Type.Object(
  {
    medianSeconds: Nullable(Type.Integer({ description: 'Half of them took at most so long; null without any.' })),
    p90Seconds: Nullable(Type.Integer({ description: 'Nine of ten took at most so long; null without any.' })),
  },
  { description: 'From the creation of an order to its end, in whole seconds; canceled ones do not count.' },
);

const activity = {
  ordersCreated: Type.Integer(),
  ordersSettled: Type.Integer({ description: 'Released, refunded or split.' }),
  ordersCanceled: Type.Integer(),
  amountCreated: Exact('Of the orders that were created.'),
  releasedToSellers: Exact('What sellers got, less the platform fee.'),
  refundedToBuyers: Exact('What buyers got back.'),
  platformFees: Exact('What the platform kept.'),
  toppedUp: Exact('What payers paid in at the payment provider.'),
  withdrawn: Exact('Withdrawals that were completed.'),
  settlement: SettlementTimes,
};

export const ActivityReport = Type.Object({
  currency: CurrencyCode,
  from: Timestamp('First moment of the first day.'),
  to: Timestamp('When it was read; today is not over.'),
  days: Type.Array(
    Type.Object({
      date: Type.String({ format: 'date', description: 'The day, in UTC.', examples: ['2026-11-15'] }),
      ...activity,
    }),
    { description: 'Oldest first, today last; days on which nothing happened too.' },
  ),
  totals: Type.Object(activity),
});

export const getActivityReport = endpoint({
  ...common,
  path: '/reports/activity',
  summary: 'Activity by day',
  description:
    'What happened on each of the last days, by UTC. Orders count on the day they were created, and settled.',
  query: Strict({
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: ACTIVITY_DAYS.max,
        default: ACTIVITY_DAYS.usual,
        description: 'How many days, today included.',
      }),
    ),
    currency: Type.Optional(CurrencyCode),
  }),
  data: ActivityReport,
});

export const OPEN_WORK_COUNTED_MAX = 1_000;

export const OPEN_WORK_KINDS = [
  'disputes_open',
  'disputes_under_review',
  'breaks_open',
  'operations_running',
  'operations_stuck',
  'withdrawals_created',
  'withdrawals_committed',
  'withdrawals_pending',
  'withdrawals_pending_user_action',
  'topups_created',
  'topups_awaiting_user_confirmation',
  'topups_processing',
] as const;

export type OpenWorkKind = (typeof OPEN_WORK_KINDS)[number];

export const OpenWork = Type.Object({
  asOf: Timestamp('When it was counted.'),
  countedMax: Type.Integer({
    description: 'A count that is this high may be higher.',
    examples: [OPEN_WORK_COUNTED_MAX],
  }),
  items: Type.Array(
    Type.Object({
      kind: Type.Enum(OPEN_WORK_KINDS, {
        description: 'Stuck is an operation that was put off at least once; it is among the running ones too.',
      }),
      count: Type.Integer({ maximum: OPEN_WORK_COUNTED_MAX }),
      oldestAt: Nullable(Timestamp('Since when the oldest waits; null when nothing does.')),
    }),
    { description: 'Every kind, also with nothing waiting.' },
  ),
});

export const getOpenWork = endpoint({
  ...common,
  path: '/reports/open-work',
  summary: 'What is waiting',
  description: `What is waiting for somebody, or for an outside system. At most ${OPEN_WORK_COUNTED_MAX} of each kind are counted.`,
  data: OpenWork,
});
