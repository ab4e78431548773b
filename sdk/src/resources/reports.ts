// Reports: where the money is, activity, and those for bookkeeping, which are also given as CSV.

import type { Query } from '../addresses.ts';
import type { ClosingReport } from '../printed/closings.ts';
import type {
  FeeReport,
  GetFeeReportQuery,
  GetOpenItemsQuery,
  GetPayoutReportQuery,
  OpenItemsReport,
  PayoutReport,
} from '../printed/finance-reports.ts';
import type { ActivityReport, GetActivityReportQuery, MoneyReport, OpenWork } from '../printed/reports.ts';
import { ROUTES } from '../printed/routes.ts';
import type { CallOptions, Route, Transport } from '../transport.ts';

type FeeQuery = Omit<GetFeeReportQuery, 'format'>;
type PayoutQuery = Omit<GetPayoutReportQuery, 'format'>;
type OpenItemsQuery = Omit<GetOpenItemsQuery, 'format'>;

export const reportResource = (transport: Transport) => {
  const csv = (route: Route, { query, options }: { query: Query; options: CallOptions | undefined }): Promise<string> =>
    transport.call({ ...route, wrapping: 'raw' }, { query: { ...query, format: 'csv' }, accept: 'text/csv' }, options);
  return {
    /** Liabilities and assets by owner and place. */
    money: (options?: CallOptions): Promise<MoneyReport> => transport.call(ROUTES.getMoneyReport, {}, options),

    /** Activity on each of the last days. */
    activity: (query: GetActivityReportQuery = {}, options?: CallOptions): Promise<ActivityReport> =>
      transport.call(ROUTES.getActivityReport, { query }, options),

    /** The users' money in a month or on a day: `2026-11` or `2026-11-15`. */
    closing: (period: string, options?: CallOptions): Promise<ClosingReport> =>
      transport.call(ROUTES.getClosing, { query: { period } }, options),

    /** The closing as CSV, for a spreadsheet. */
    closingCsv: (period: string, options?: CallOptions): Promise<string> =>
      csv(ROUTES.getClosing, { query: { period }, options }),

    /** Fees that the platform has earned and what they have cost, by interval. */
    fees: (query: FeeQuery = {}, options?: CallOptions): Promise<FeeReport> =>
      transport.call(ROUTES.getFeeReport, { query }, options),

    /** The fees as CSV, for a spreadsheet. */
    feesCsv: (query: FeeQuery = {}, options?: CallOptions): Promise<string> =>
      csv(ROUTES.getFeeReport, { query, options }),

    /** Withdrawals that were paid, that failed and that are open, by destination. */
    payouts: (query: PayoutQuery = {}, options?: CallOptions): Promise<PayoutReport> =>
      transport.call(ROUTES.getPayoutReport, { query }, options),

    /** The payouts as CSV, for a spreadsheet. */
    payoutsCsv: (query: PayoutQuery = {}, options?: CallOptions): Promise<string> =>
      csv(ROUTES.getPayoutReport, { query, options }),

    /** What is open, by age, with the oldest items of each kind. */
    openItems: (query: OpenItemsQuery = {}, options?: CallOptions): Promise<OpenItemsReport> =>
      transport.call(ROUTES.getOpenItems, { query }, options),

    /** The open items as CSV, for a spreadsheet. */
    openItemsCsv: (query: OpenItemsQuery = {}, options?: CallOptions): Promise<string> =>
      csv(ROUTES.getOpenItems, { query, options }),

    /** Work that waits for a person or for an outside system. */
    openWork: (options?: CallOptions): Promise<OpenWork> => transport.call(ROUTES.getOpenWork, {}, options),
  };
};
