// Reports: where the money is, recent activity, and open work.

import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { CurrencyCode, Exact, Nullable, Strict, Timestamp } from './fields.ts';

const common = {
  method: 'GET',
  access: 'read',
  tag: 'Reports',
  status: 200,
  wrapping: 'plain',
  heavy: true,
  errors: [],
} as const;

/** The owners of the money. */
export const CLAIM_PLACES = [
  'user_available',
  'user_reserved',
  'in_escrow',
  'platform_fees',
  'payment_float_owed',
  'escrow_surplus',
  'late_topups',
  'operator_adjustments',
  'opening_balances',
] as const;

/** The places of the money. */
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
      'The owner: what users can spend, what is reserved for them, money in escrow, the earnings of the platform, amounts ' +
      'owed at the payment provider, manual adjustments by the operator, and the counterpart of opening balances.',
  }),
  amount: Exact('For the operator negative: money credited by hand without a matching deposit.'),
});

const Holding = Type.Object({
  place: Type.Enum(HOLDING_PLACES, {
    description:
      "The place: the users' addresses, the treasury's, the platform's, escrow contracts, the payment provider, and fees " +
      'spent on the networks.',
  }),
  amount: Exact('The balance in the books.'),
});

export const MoneyReport = Type.Object({
  asOf: Timestamp('The time of all figures.'),
  currencies: Type.Array(
    Type.Object({
      currency: CurrencyCode,
      claims: Type.Array(Claim, { description: 'Liabilities by owner; every owner, including zero amounts.' }),
      holdings: Type.Array(Holding, { description: 'Assets by place; every place, including zero amounts.' }),
      claimsTotal: Exact('Total of all claims.'),
      holdingsTotal: Exact('Total of all holdings.'),
      difference: Exact('Claims minus holdings; zero when balanced.'),
    }),
    { description: 'Every currency with at least one posting.' },
  ),
});

export const getMoneyReport = endpoint({
  ...common,
  path: '/reports/money',
  summary: 'Money by owner and place',
  description:
    'Liabilities and assets by place, at one moment, from the sums of the last checkpoint and the postings since. The full proof compares ' +
    'these sums with every posting: see `GET /audit/proof`.',
  data: MoneyReport,
});

export const ACTIVITY_DAYS = { usual: 30, max: 90 } as const;

const SettlementTimes = Type.Object(
  {
    medianSeconds: Nullable(Type.Integer({ description: 'Median; null without any order.' })),
    p90Seconds: Nullable(Type.Integer({ description: '90th percentile; null without any order.' })),
  },
  {
    description:
      'From the creation of an order to its end, in whole seconds, without canceled orders. Exact below 64 seconds, otherwise within 2 %.',
  },
);

const activity = {
  ordersCreated: Type.Integer(),
  ordersSettled: Type.Integer({ description: 'Released, refunded or split.' }),
  ordersCanceled: Type.Integer(),
  amountCreated: Exact('Total amount of the created orders.'),
  releasedToSellers: Exact('Paid to sellers, minus the platform fee.'),
  refundedToBuyers: Exact('Paid back to buyers.'),
  platformFees: Exact('Platform fees kept.'),
  toppedUp: Exact('Paid in through the payment provider.'),
  withdrawn: Exact('Completed withdrawals.'),
  settlement: SettlementTimes,
};

export const ActivityReport = Type.Object({
  currency: CurrencyCode,
  from: Timestamp('First moment of the first day.'),
  to: Timestamp('When the report was read; today is incomplete.'),
  days: Type.Array(
    Type.Object({
      date: Type.String({ format: 'date', description: 'The day, in UTC.', examples: ['2026-11-15'] }),
      ...activity,
    }),
    { description: 'Oldest first, today last, including days without activity.' },
  ),
  totals: Type.Object(activity),
});

export const getActivityReport = endpoint({
  ...common,
  path: '/reports/activity',
  summary: 'Activity by day',
  description:
    'Activity on each of the last days, by UTC. Orders count on the day of their creation and on the day of settlement.',
  query: Strict({
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: ACTIVITY_DAYS.max,
        default: ACTIVITY_DAYS.usual,
        description: 'Number of days, including today.',
      }),
    ),
    currency: Type.Optional(CurrencyCode),
  }),
  data: ActivityReport,
});

export const OPEN_WORK_COUNTED_MAX = 1_000;

const OPEN_WORK_KINDS = [
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
  asOf: Timestamp('When the work was counted.'),
  countedMax: Type.Integer({
    description: 'A count at this maximum may be higher.',
    examples: [OPEN_WORK_COUNTED_MAX],
  }),
  items: Type.Array(
    Type.Object({
      kind: Type.Enum(OPEN_WORK_KINDS, {
        description: 'A stuck operation was retried at least once; it also counts as running.',
      }),
      count: Type.Integer({ maximum: OPEN_WORK_COUNTED_MAX }),
      oldestAt: Nullable(Timestamp('Since when the oldest item waits; null when there is none.')),
    }),
    { description: 'Every kind, including zero counts.' },
  ),
});

export const getOpenWork = endpoint({
  ...common,
  path: '/reports/open-work',
  summary: 'Items that need attention',
  description: `Work that waits for a person or for an outside system. At most ${OPEN_WORK_COUNTED_MAX} of each kind are counted.`,
  data: OpenWork,
});
