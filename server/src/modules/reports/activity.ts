// The activity of each of the last days in one currency, read in one snapshot from the maintained sums and the records since. It only reads.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { type Amount, fromUnits, plus, ZERO } from '../../books/money.ts';
import { inSnapshot } from '../../postgres/connection.ts';
import { type Figure, type FigureRow, settlementSeconds } from './activity-records.ts';
import { readFigures } from './activity-sums.ts';

export type ActivityFigures = {
  readonly ordersCreated: number;
  readonly ordersSettled: number;
  readonly ordersCanceled: number;
  readonly amountCreated: Amount;
  readonly releasedToSellers: Amount;
  readonly refundedToBuyers: Amount;
  readonly platformFees: Amount;
  readonly toppedUp: Amount;
  readonly withdrawn: Amount;
  readonly settlement: { readonly medianSeconds: number | null; readonly p90Seconds: number | null };
};

export type Activity = {
  readonly from: string;
  readonly to: string;
  readonly days: readonly (ActivityFigures & { readonly date: string })[];
  readonly totals: ActivityFigures;
};

type ActivityRequest = { readonly marketplaceId: string; readonly currency: Currency; readonly days: number };

// The connection's time zone is UTC, so days begin at midnight UTC.
const RANGE = `select now() as "to", date_trunc('day', now()) - make_interval(days => $1::integer - 1) as "from",
    array(select to_char(d, 'YYYY-MM-DD') from generate_series(
      date_trunc('day', now()) - make_interval(days => $1::integer - 1), now(), interval '1 day') d order by d) as days`;

type Range = { from: string; to: string; days: string[] };

const countOf = (rows: readonly FigureRow[]): number => rows.reduce((sum, { count }) => sum + count, 0);

const sumOf = (rows: readonly FigureRow[]): Amount =>
  rows.reduce((sum, { units }) => plus(sum, fromUnits(BigInt(units))), ZERO);

/** The time within which this share of the settled orders ended. */
const percentile = (settled: readonly FigureRow[], share: number): number | null => {
  const sorted = settled.toSorted((one, other) => one.bucket - other.bucket);
  const wanted = countOf(settled) * share;
  let seen = 0;
  for (const { bucket, count } of sorted) {
    seen += count;
    if (seen >= wanted) return settlementSeconds(bucket);
  }
  return null;
};

const figuresOf = (rows: readonly FigureRow[]): ActivityFigures => {
  const of = (figure: Figure): FigureRow[] => rows.filter((row) => row.figure === figure);
  const settled = of('orders_settled');
  return {
    ordersCreated: countOf(of('orders_created')),
    ordersSettled: countOf(settled),
    ordersCanceled: countOf(of('orders_canceled')),
    amountCreated: sumOf(of('orders_created')),
    releasedToSellers: sumOf(of('pay_seller')),
    refundedToBuyers: sumOf(of('refund_buyer')),
    platformFees: sumOf(of('platform_fee')),
    toppedUp: sumOf(of('topup')),
    withdrawn: sumOf(of('withdrawal')),
    settlement: { medianSeconds: percentile(settled, 0.5), p90Seconds: percentile(settled, 0.9) },
  };
};

export const createActivityReads = (pool: pg.Pool) => ({
  read: ({ marketplaceId, currency, days }: ActivityRequest): Promise<Activity> =>
    inSnapshot(pool, async (client) => {
      const range = (await client.query<Range>(RANGE, [days])).rows[0]!;
      const rows = await readFigures(client, { marketplaceId, currency, from: range.from });
      const byDay = Map.groupBy(rows, ({ at }) => at.slice(0, 10));
      return {
        from: range.from,
        to: range.to,
        days: range.days.map((date) => ({ date, ...figuresOf(byDay.get(date) ?? []) })),
        totals: figuresOf(rows),
      };
    }),
});

export type ActivityReads = ReturnType<typeof createActivityReads>;
