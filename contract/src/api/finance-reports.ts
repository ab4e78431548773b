// Reports for bookkeeping: fee income, payouts by destination, and open items by age.

import Type from 'typebox';
import { DESTINATION_TYPES } from '../states.ts';
import { endpoint } from './endpoint.ts';
import { CurrencyCode, DateOrTime, Day, Exact, Nullable, ReportFormat, Strict, Timestamp } from './fields.ts';

export const REPORT_DAYS = { usual: 30, max: 400 } as const;

const common = {
  method: 'GET',
  access: 'read',
  tag: 'Reports',
  status: 200,
  wrapping: 'plain',
  heavy: true,
  asCsv: true,
} as const;

const AS_CSV = 'With `format=csv`, or `Accept: text/csv`, the answer is a table.';

const RANGE = `Without \`to\` the range ends with today, without \`from\` it has ${REPORT_DAYS.usual} days; it has at most ${REPORT_DAYS.max} days. Days are in UTC.`;

const Range = {
  from: Type.Optional(Day('First day of the range.')),
  to: Type.Optional(Day('The day after the last one. At most tomorrow.')),
  format: Type.Optional(ReportFormat),
};

const ShownRange = {
  from: Timestamp('Beginning of the range, inclusive.'),
  to: Timestamp('End of the range, exclusive.'),
};

const FEE_INTERVALS = ['day', 'week', 'month'] as const;

export type FeeInterval = (typeof FEE_INTERVALS)[number];

const fees = {
  earned: Exact('Platform fees earned: the moves `platform_fee`.'),
  reversed: Exact('Platform fees that a correction has returned to the escrow of an order.'),
  networkFees: Exact('What the network and the escrow protocol have cost.'),
  providerFees: Exact('What the payment provider has cost.'),
  net: Exact('Earned minus the three others; may be negative.'),
};

export const FeeReport = Type.Object({
  ...ShownRange,
  interval: Type.Enum(FEE_INTERVALS),
  currencies: Type.Array(
    Type.Object({
      currency: CurrencyCode,
      totals: Type.Object(fees),
      intervals: Type.Array(
        Type.Object({
          from: Timestamp('Beginning of the interval, inclusive.'),
          to: Timestamp('End of the interval, exclusive.'),
          ...fees,
        }),
        {
          description:
            'Oldest first, including intervals without fees. Weeks begin on Monday. The first and the last interval may be cut by the range.',
        },
      ),
    }),
    { description: 'Every currency with fees or costs in the range.' },
  ),
});

export const getFeeReport = endpoint({
  ...common,
  path: '/reports/fees',
  summary: 'Fee income',
  description: `The fees that the platform has earned and what they have cost, by currency and interval, from the postings of the accounts
\`income:fees\`, \`expenses:network-fees\` and \`expenses:provider-fees\`. The figures of sealed months are the sealed ones. ${RANGE} ${AS_CSV}`,
  query: Strict({
    ...Range,
    interval: Type.Optional(Type.Enum(FEE_INTERVALS, { default: 'day', description: 'The length of an interval.' })),
  }),
  data: FeeReport,
  errors: ['ARCHIVED'],
});

/** Destinations of one kind and currency that are listed on their own. */
export const PAYOUT_DESTINATIONS_MAX = 50;

const Part = (description: string) =>
  Type.Object({ count: Type.Integer(), amount: Exact('Total amount.') }, { description });

const payouts = {
  paid: Part(
    'Paid in the range: what the destinations received. A withdrawal that was paid in parts counts when it ends.',
  ),
  failed: Part('Failed or cancelled in the range: what went back to the balances of users.'),
  open: Part('Created before the end of the range and not ended until now: what is still to be paid.'),
};

export const PayoutReport = Type.Object({
  ...ShownRange,
  destinationsMax: Type.Integer({ description: 'Destinations of one group that are listed on their own.' }),
  groups: Type.Array(
    Type.Object({
      type: Type.Enum(DESTINATION_TYPES, {
        description: 'The payment provider pays bank and payment_account; crypto is paid over the ledger.',
      }),
      currency: CurrencyCode,
      ...payouts,
      destinations: Type.Array(
        Type.Object({
          address: Nullable(Type.String({ description: 'Address on the ledger.' })),
          email: Nullable(Type.String({ description: 'E-mail of the receiver at the payment provider.' })),
          ...payouts,
        }),
        { description: 'The destinations with the largest paid amounts, largest first.' },
      ),
      rest: Nullable(
        Type.Object(
          { destinations: Type.Integer({ description: 'Number of other destinations.' }), ...payouts },
          { description: 'All other destinations together; null when there are none.' },
        ),
      ),
    }),
    { description: 'By kind of destination and currency.' },
  ),
});

export const getPayoutReport = endpoint({
  ...common,
  path: '/reports/payouts',
  summary: 'Payouts by destination',
  description: `Withdrawals that were paid, that failed and that are open, by kind of destination, currency and destination. ${RANGE} ${AS_CSV}`,
  query: Strict(Range),
  data: PayoutReport,
  errors: [],
});

export const OPEN_ITEM_KINDS = ['orders_in_escrow', 'disputes', 'withdrawals', 'topups', 'breaks'] as const;

export type OpenItemKind = (typeof OPEN_ITEM_KINDS)[number];

/** Ages of open items, youngest first. */
export const AGE_BUCKETS = ['under_1_day', '1_to_7_days', '7_to_30_days', '30_to_90_days', 'over_90_days'] as const;

export const OPEN_ITEMS_LISTED = { usual: 10, max: 100 } as const;

const ItemCurrency = Nullable(CurrencyCode);

const ItemAmount = Nullable(Exact('Null for breaks: the differences of several balances cannot be added up.'));

export const OpenItemsReport = Type.Object({
  at: Timestamp('The time from which ages are counted.'),
  kinds: Type.Array(
    Type.Object({
      kind: Type.Enum(OPEN_ITEM_KINDS, {
        description:
          'Orders with money in escrow, by the time of their funding; open disputes; withdrawals that are not ended, with the unpaid ' +
          'amount; top-ups that wait for the payer or the payment provider; and open breaks of reconciliation.',
      }),
      count: Type.Integer(),
      currencies: Type.Array(
        Type.Object({
          currency: ItemCurrency,
          count: Type.Integer(),
          amount: ItemAmount,
          ages: Type.Array(Type.Object({ age: Type.Enum(AGE_BUCKETS), count: Type.Integer(), amount: ItemAmount }), {
            description: 'Every age, youngest first. An item of exactly one day counts as 1 to 7 days old.',
          }),
        }),
      ),
      oldest: Type.Array(
        Type.Object({
          id: Type.String({
            description: 'Id of the order, dispute, withdrawal or top-up; kind and subject of a break.',
          }),
          since: Timestamp('Since when it is open.'),
          currency: ItemCurrency,
          amount: Exact('For a break the difference, which may be negative.'),
        }),
        { description: 'Oldest first.' },
      ),
    }),
    { description: 'Every kind, including those without items.' },
  ),
});

export const getOpenItems = endpoint({
  ...common,
  path: '/reports/open-items',
  summary: 'Open items by age',
  description: `What is open, by age, currency and amount, with the oldest items of each kind. With \`at\` only items that were open at that time and
still are, with their age at that time. ${AS_CSV}`,
  query: Strict({
    at: Type.Optional(DateOrTime('The time from which ages are counted; now by default, and not in the future.')),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: OPEN_ITEMS_LISTED.max,
        default: OPEN_ITEMS_LISTED.usual,
        description: 'How many of the oldest items of each kind are listed.',
      }),
    ),
    format: Type.Optional(ReportFormat),
  }),
  data: OpenItemsReport,
  errors: [],
});
