// Routes of the reports for bookkeeping, each as JSON and as CSV.

import * as api from '@holdfast/contract/api/finance-reports.ts';
import type pg from 'pg';
import { formatInstant, momentOf } from '../../base/instant.ts';
import { type Route, report } from '../../http/route.ts';
import { validationError } from '../../http/validation/messages.ts';
import type { ClosingReads } from '../closings/queries.ts';
import type { Journal } from '../exports/journal.ts';
import { createFeeDays, type FeeDays } from './fee-days.ts';
import { feeTable, presentFeeReport } from './fees.ts';
import { dayRange } from './finance-range.ts';
import { createOpenItemReads, type OpenItemReads, openItemTable } from './open-items.ts';
import { createPayoutReads, type PayoutReads, payoutTable } from './payouts.ts';

type Parts = {
  readonly fees: FeeDays;
  readonly payouts: PayoutReads;
  readonly openItems: OpenItemReads;
  /** Microseconds. */
  now(): number;
};

const timeOf = (at: string | undefined, nowMicros: number): string => {
  const time = at === undefined ? nowMicros : momentOf(at);
  if (time > nowMicros) throw validationError(['at must not be in the future']);
  return formatInstant(time);
};

const financeRoutes = ({ fees, payouts, openItems, now }: Parts): Route[] => [
  report(api.getFeeReport, {
    async answer({ query, context: { marketplaceId } }) {
      const { interval = 'day' } = query;
      const range = dayRange(query, now());
      return presentFeeReport({ days: await fees.read({ marketplaceId, ...range }), range, interval });
    },
    table: feeTable,
  }),
  report(api.getPayoutReport, {
    answer: async ({ query, context }) => payouts.read(context.marketplaceId, dayRange(query, now())),
    table: payoutTable,
  }),
  report(api.getOpenItems, {
    answer: async ({ query, context: { marketplaceId } }) =>
      openItems.read({ marketplaceId, at: timeOf(query.at, now()), limit: query.limit ?? api.OPEN_ITEMS_LISTED.usual }),
    table: openItemTable,
  }),
];

type Options = {
  readonly pool: pg.Pool;
  readonly closings: ClosingReads;
  readonly journal: Journal;
  /** Microseconds. */
  now(): number;
};

export const wireFinanceReports = ({ pool, closings, journal, now }: Options): Route[] =>
  financeRoutes({
    fees: createFeeDays({ pool, closings, journal }),
    payouts: createPayoutReads(pool),
    openItems: createOpenItemReads(pool),
    now,
  });
