// The activity of each of the last days in one currency, read in one snapshot. Counts come from the orders and exact amounts from the
// postings, both by an index and never by a scan. It only reads.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { parseInstant } from '../../base/instant.ts';
import { numberedId } from '../../base/ulid.ts';
import { lateTopups, paymentFloat } from '../../books/accounts.ts';
import { type Amount, fromUnits, plus, ZERO } from '../../books/money.ts';
import { inSnapshot } from '../../postgres/connection.ts';
import { POSTINGS_BEFORE } from '../statements/queries.ts';

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

const dayOf = (column: string): string => `to_char(date_trunc('day', ${column}), 'YYYY-MM-DD')`;

// Ids sort by time and are never older than the order, so the orders of the range begin at its first id.
const CREATED = `select ${dayOf('t.created_at')} as day, count(*)::integer as count, sum(t.amount)::text as units
  from orders t where t.marketplace_id = $1 and t.currency = $2 and t.id >= $3 and t.created_at >= $4 group by 1`;

const SECONDS = `floor(extract(epoch from t.updated_at - t.created_at))::integer`;
const percentile = (part: string): string =>
  `percentile_disc(${part}) within group (order by ${SECONDS}) filter (where t.final_status <> 'CANCELED')`;

/** A closed order never changes, so `updated_at` is the time of its end. The row without a day is the whole range. */
const CLOSED = `select ${dayOf('t.updated_at')} as day,
    (count(*) filter (where t.final_status <> 'CANCELED'))::integer as settled,
    (count(*) filter (where t.final_status = 'CANCELED'))::integer as canceled,
    ${percentile('0.5')} as median, ${percentile('0.9')} as p90
  from orders t where t.marketplace_id = $1 and t.currency = $2 and t.status = 'CLOSED' and t.updated_at >= $3
  group by grouping sets ((1), ())`;

// Reads the escrow account of each order, which has few postings: `offset 0` keeps the planner from another plan.
const PAID_OUT = `select ${dayOf('t.updated_at')} as day, p.move, (-sum(p.amount))::text as units
  from orders t cross join lateral (select p.move, p.amount from postings p
    where p.marketplace_id = t.marketplace_id and p.account_id = t.id || ':escrow:' || t.currency
      and p.move in ('pay_seller', 'refund_buyer', 'platform_fee') and p.amount < 0 offset 0) p
  where t.marketplace_id = $1 and t.currency = $2 and t.status = 'CLOSED' and t.updated_at >= $3
    and t.final_status <> 'CANCELED' group by 1, 2`;

const TOPPED_UP = `select ${dayOf('p.posted_at')} as day, 'topup' as move, (-sum(p.amount))::text as units from postings p
  where p.marketplace_id = $1 and p.account_id = $2 and p.seq > $3 and p.move in ('topup', 'late_topup_credit') group by 1`;

// Own accounts at the payment provider, former ones too.
const OWN_ACCOUNTS = `select distinct t.provider_account as account from provider_credentials t where t.marketplace_id = $1`;

const WITHDRAWN = `select ${dayOf('t.completed_at')} as day, 'withdrawal' as move, sum(t.amount)::text as units
  from withdrawals t where t.marketplace_id = $1 and t.currency = $2 and t.completed_at >= $3
    and t.status = 'WITHDRAWAL_COMPLETED' group by 1`;

type Range = { from: string; to: string; days: string[] };
type Created = { day: string; count: number; units: string };
type Closed = { day: string | null; settled: number; canceled: number; median: number | null; p90: number | null };
type Moved = { day: string; move: string; units: string };

type Found = {
  readonly created: readonly Created[];
  readonly closed: readonly Closed[];
  readonly moved: readonly Moved[];
};

const sumOf = (rows: readonly { units: string }[]): Amount =>
  rows.reduce((sum, { units }) => plus(sum, fromUnits(BigInt(units))), ZERO);

/** The figures of one day; of the whole range when `day` is null. */
const figuresOf = ({ created, closed, moved }: Found, day: string | null): ActivityFigures => {
  const ofDay = <Row extends { day: string | null }>(rows: readonly Row[]): Row[] =>
    rows.filter((row) => day === null || row.day === day);
  const ended = closed.find((row) => row.day === day);
  const amountOf = (move: string): Amount => sumOf(ofDay(moved).filter((row) => row.move === move));
  return {
    ordersCreated: ofDay(created).reduce((sum, { count }) => sum + count, 0),
    ordersSettled: ended?.settled ?? 0,
    ordersCanceled: ended?.canceled ?? 0,
    amountCreated: sumOf(ofDay(created)),
    releasedToSellers: amountOf('pay_seller'),
    refundedToBuyers: amountOf('refund_buyer'),
    platformFees: amountOf('platform_fee'),
    toppedUp: amountOf('topup'),
    withdrawn: amountOf('withdrawal'),
    settlement: { medianSeconds: ended?.median ?? null, p90Seconds: ended?.p90 ?? null },
  };
};

type ReadAll = <Row extends pg.QueryResultRow>(text: string, values: unknown[]) => Promise<Row[]>;

/** At the shared account of the payment provider, at the own accounts of the marketplace, and from payments that came late. */
const readToppedUp = async (all: ReadAll, request: ActivityRequest & { readonly from: string }): Promise<Moved[]> => {
  const { marketplaceId, currency, from } = request;
  const own = await all<{ account: string }>(OWN_ACCOUNTS, [marketplaceId]);
  const moved: Moved[] = [];
  const floats = [null, ...own.map((row) => row.account)].map((account) => paymentFloat(currency, account));
  for (const { id } of [...floats, lateTopups(currency)]) {
    const [before] = await all<{ seq: bigint }>(POSTINGS_BEFORE, [marketplaceId, id, from]);
    moved.push(...(await all<Moved>(TOPPED_UP, [marketplaceId, id, before?.seq ?? 0n])));
  }
  return moved;
};

export const createActivityReads = (pool: pg.Pool) => ({
  read: ({ marketplaceId, currency, days }: ActivityRequest): Promise<Activity> =>
    inSnapshot(pool, async (client) => {
      const all: ReadAll = async <Row extends pg.QueryResultRow>(text: string, values: unknown[]) =>
        (await client.query<Row>(text, values)).rows;
      const range = (await all<Range>(RANGE, [days]))[0]!;
      const { from } = range;
      const firstId = numberedId('order', { ms: Math.floor((parseInstant(from) ?? 0) / 1_000), number: 0n });
      const created = await all<Created>(CREATED, [marketplaceId, currency, firstId, from]);
      const closed = await all<Closed>(CLOSED, [marketplaceId, currency, from]);
      const moved = [
        ...(await all<Moved>(PAID_OUT, [marketplaceId, currency, from])),
        ...(await readToppedUp(all, { marketplaceId, currency, days, from })),
        ...(await all<Moved>(WITHDRAWN, [marketplaceId, currency, from])),
      ];
      const found: Found = { created, closed, moved };
      return {
        from,
        to: range.to,
        days: range.days.map((date) => ({ date, ...figuresOf(found, date) })),
        totals: figuresOf(found, null),
      };
    }),
});

export type ActivityReads = ReturnType<typeof createActivityReads>;
