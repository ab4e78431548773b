// The figures of the activity report, read from the records: orders by an index of their time, postings by their account. The cost depends on
// the number of orders in the range. It only reads.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { CURRENCIES } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { parseInstant } from '../../base/instant.ts';
import { CLOCKS_DIFFER_MS, numberedId } from '../../base/ulid.ts';
import { lateTopups, paymentFloat } from '../../books/accounts.ts';
import { POSTINGS_BEFORE } from '../statements/queries.ts';
import type { ReadArchived } from './archived-figures.ts';

export type Figure =
  | 'orders_created'
  | 'orders_settled'
  | 'orders_canceled'
  | 'pay_seller'
  | 'refund_buyer'
  | 'platform_fee'
  | 'topup'
  | 'withdrawal';

export type FigureRow = {
  /** The beginning of the hour or of the day. */
  readonly at: string;
  readonly currency: Currency;
  readonly figure: Figure;
  /** Seconds until a settled order ended, as a bucket of `settlementSeconds`; otherwise 0. */
  readonly bucket: number;
  readonly count: number;
  readonly units: string;
};

export type RecordRange = {
  readonly marketplaceId: string;
  /** Null: all currencies. */
  readonly currency: Currency | null;
  readonly span: 'day' | 'hour';
  readonly from: string;
  readonly to: string;
};

/** Without it, postings that have left the database do not count. A report that waits for its answer reads no files. */
export type WithArchived = { readonly archived?: ReadArchived | undefined };

/** Significant binary digits of a bucket: times below 64 seconds are exact, longer ones differ by less than 2 % from their bucket's middle. */
const DIGITS = 6;

const SECONDS = 'greatest(0, floor(extract(epoch from t.updated_at - t.created_at)))::integer';
const BITS = `length(ltrim(s.seconds::bit(32)::text, '0'))`;
const BUCKET = `case when s.seconds < ${2 ** DIGITS} then s.seconds
    else (s.seconds >> (${BITS} - ${DIGITS})) << (${BITS} - ${DIGITS}) end`;

/** The middle of a bucket. */
export const settlementSeconds = (bucket: number): number => {
  const bits = 32 - Math.clz32(bucket);
  return bits <= DIGITS ? bucket : bucket + 2 ** (bits - DIGITS - 1);
};

// The connection's time zone is UTC, so days begin at midnight UTC.
export const slice = (column: string): string => `date_trunc($2, ${column})`;
const within = (column: string): string => `${column} >= $3 and ${column} < $4`;
const OF_CURRENCY = '($5::text is null or t.currency = $5)';

// Ids sort by time and are never older than the order, so the orders of the range begin at its first id.
const CREATED = `select ${slice('t.created_at')} as at, t.currency, 'orders_created' as figure, 0 as bucket,
    count(*)::integer as count, sum(t.amount)::text as units
  from orders t where t.marketplace_id = $1 and t.id >= $6 and t.id < $7 and ${within('t.created_at')} and ${OF_CURRENCY}
  group by 1, 2`;

export const CLOSED_IN_RANGE = `t.marketplace_id = $1 and t.status = 'CLOSED' and ${within('t.updated_at')} and ${OF_CURRENCY}`;

/** A closed order changes only when a correction reopens it, so `updated_at` is the time of its end. */
const CLOSED = `select ${slice('t.updated_at')} as at, t.currency,
    case when t.final_status = 'CANCELED' then 'orders_canceled' else 'orders_settled' end as figure,
    case when t.final_status = 'CANCELED' then 0 else ${BUCKET} end as bucket, count(*)::integer as count, '0' as units
  from orders t cross join lateral (select ${SECONDS} as seconds) s where ${CLOSED_IN_RANGE} group by 1, 2, 3, 4`;

/** What an order pays from its escrow account, and what comes in from outside. */
export const PAYOUTS: Readonly<Record<string, Figure>> = {
  pay_seller: 'pay_seller',
  refund_buyer: 'refund_buyer',
  platform_fee: 'platform_fee',
  // A correction has taken it back into the escrow.
  release_reversal: 'pay_seller',
  refund_reversal: 'refund_buyer',
  platform_fee_reversal: 'platform_fee',
};
export const TOPUPS: readonly string[] = ['topup', 'late_topup_credit'];
const listed = (moves: readonly string[]): string => moves.map((move) => `'${move}'`).join(', ');

const FIGURE_OF_MOVE = `case p.move ${Object.entries(PAYOUTS)
  .map(([move, figure]) => `when '${move}' then '${figure}'`)
  .join(' ')} end`;

// Reads the escrow account of each order, which has few postings: `offset 0` keeps the planner from another plan.
const PAID_OUT = `select ${slice('t.updated_at')} as at, t.currency, ${FIGURE_OF_MOVE} as figure, 0 as bucket, count(*)::integer as count,
    (-sum(p.amount))::text as units
  from orders t cross join lateral (select p.move, p.amount from postings p
    where p.marketplace_id = $1 and p.account_id = t.id || ':escrow:' || t.currency
      and p.move in (${listed(Object.keys(PAYOUTS))}) offset 0) p
  where ${CLOSED_IN_RANGE} and t.final_status <> 'CANCELED' group by 1, 2, 3`;

const WITHDRAWN = `select ${slice('t.completed_at')} as at, t.currency, 'withdrawal' as figure, 0 as bucket,
    count(*)::integer as count, sum(t.amount)::text as units
  from withdrawals t where t.marketplace_id = $1 and ${within('t.completed_at')} and ${OF_CURRENCY}
    and t.status = 'WITHDRAWAL_COMPLETED' group by 1, 2`;

const TOPPED_UP = `select date_trunc($4, p.posted_at) as at, count(*)::integer as count, (-sum(p.amount))::text as units
  from postings p where p.marketplace_id = $1 and p.account_id = $2 and p.seq > $3 and p.move in (${listed(TOPUPS)})
    and p.posted_at >= $5 and p.posted_at < $6 group by 1`;

// Own accounts at the payment provider, former ones too.
const OWN_ACCOUNTS = `select distinct t.provider_account as account from provider_credentials t where t.marketplace_id = $1`;

const msOf = (instant: string): number => Math.floor((parseInstant(instant) ?? 0) / 1_000);

const firstIdAt = (ms: number): string => numberedId('order', { ms: Math.max(0, ms), number: 0n });

type ToppedUp = Pick<FigureRow, 'at' | 'count' | 'units'>;

/** At the shared account of the payment provider, at the own accounts of the marketplace, and from payments that came late. */
export const topupAccounts = async (
  client: pg.PoolClient,
  { marketplaceId, currency }: { marketplaceId: string; currency: Currency },
): Promise<string[]> => {
  const own = await client.query<{ account: string }>(OWN_ACCOUNTS, [marketplaceId]);
  const places = [null, ...own.rows.map(({ account }) => account)];
  return [...places.map((account) => paymentFloat(currency, account)), lateTopups(currency)].map(({ id }) => id);
};

const readToppedUp = async (client: pg.PoolClient, range: RecordRange): Promise<FigureRow[]> => {
  const { marketplaceId, span, from, to } = range;
  // The search by time may miss postings of a clock that was set back, so it begins earlier.
  const searched = new Date(msOf(from) - CLOCKS_DIFFER_MS).toISOString();
  const found: FigureRow[] = [];
  for (const currency of range.currency === null ? CURRENCIES : [range.currency]) {
    for (const id of await topupAccounts(client, { marketplaceId, currency })) {
      const before = await client.query<{ seq: bigint }>(POSTINGS_BEFORE, [marketplaceId, id, searched]);
      const values = [marketplaceId, id, before.rows[0]?.seq ?? 0n, span, from, to];
      const { rows } = await client.query<ToppedUp>(TOPPED_UP, values);
      found.push(...rows.map((row) => ({ ...row, currency, figure: 'topup' as const, bucket: 0 })));
    }
  }
  return found;
};

/** The figures of each day or hour, read from the records. The client is in a snapshot. */
export const readRecords = async (
  client: pg.PoolClient,
  { archived, ...range }: RecordRange & WithArchived,
): Promise<FigureRow[]> => {
  const { marketplaceId, span, from, to, currency } = range;
  const values = [marketplaceId, span, from, to, currency];
  const ids = [firstIdAt(msOf(from)), firstIdAt(msOf(to) + CLOCKS_DIFFER_MS)];
  const found = (await client.query<FigureRow>(CREATED, [...values, ...ids])).rows;
  for (const text of [CLOSED, PAID_OUT, WITHDRAWN]) {
    found.push(...(await client.query<FigureRow>(text, values)).rows);
  }
  const inFiles = archived ? await archived(client, range) : [];
  return [...found, ...(await readToppedUp(client, range)), ...inFiles];
};
