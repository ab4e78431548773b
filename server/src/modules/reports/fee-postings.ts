// The postings of the accounts of fees, added up by day: those between two numbers of an account, in a range of time. It only reads.

import { CURRENCIES, type Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { formatInstant, parseInstant } from '../../base/instant.ts';
import { type Account, networkFees, platformFees } from '../../books/accounts.ts';
import { POSTINGS_BEFORE } from '../statements/queries.ts';

/** In units. */
export type FeeFigures = {
  readonly earned: bigint;
  readonly reversed: bigint;
  readonly network: bigint;
  readonly provider: bigint;
};

/** The fees of one day, or of a part of it. */
export type FeeDay = { readonly date: string; readonly currency: Currency } & FeeFigures;

export type FeeRange = { readonly marketplaceId: string; readonly from: string; readonly to: string };

/** Figures as the database writes them; null: there is none of this kind. */
type FeeRow = { readonly day: string } & Readonly<Record<keyof FeeFigures, string | null>>;

export const FEE_ACCOUNTS: ReadonlyMap<string, Account> = new Map(
  CURRENCIES.flatMap((currency) => [platformFees(currency), networkFees(currency)]).map((each) => [each.id, each]),
);

export const feeDayOf = ({ currency }: Pick<Account, 'currency'>, row: FeeRow): FeeDay => ({
  date: row.day,
  currency,
  earned: BigInt(row.earned ?? 0),
  reversed: BigInt(row.reversed ?? 0),
  network: BigInt(row.network ?? 0),
  provider: BigInt(row.provider ?? 0),
});

// By the numbers of the account: `offset 0` keeps the planner from the index of times, which finds the postings of all accounts. Fees
// are a claim, and costs are a holding, which is negative.
const DAYS = `select (p.posted_at at time zone 'UTC')::date::text as day, count(*) as postings,
    sum(p.amount) filter (where p.amount > 0 and $3::boolean)::text as earned,
    (-sum(p.amount) filter (where p.amount < 0 and $3))::text as reversed,
    (-sum(p.amount) filter (where p.move <> 'payment_fee' and not $3))::text as network,
    (-sum(p.amount) filter (where p.move = 'payment_fee' and not $3))::text as provider
  from (select p.move, p.amount, p.posted_at from postings p
    where p.marketplace_id = $1 and p.account_id = $2 and p.seq > $4 and p.seq <= $5 offset 0) p
  where p.posted_at >= $6 and p.posted_at < $7
  group by 1 order by 1`;

type Numbered = {
  readonly account: Account;
  /** The postings after this number, up to `last`. */
  readonly after: bigint;
  readonly last: bigint;
};

/** `postings`: how many were added up. */
type CountedDay = FeeDay & { readonly postings: bigint };

export const addUpPostings = async (
  client: pg.PoolClient,
  { account, after, last, ...range }: FeeRange & Numbered,
): Promise<CountedDay[]> => {
  const values = [range.marketplaceId, account.id, account.side === 'claim', after, last, range.from, range.to];
  const { rows } = await client.query<FeeRow & { postings: bigint }>(DAYS, values);
  return rows.map((row) => ({ ...feeDayOf(account, row), postings: row.postings }));
};

/** The search by time may miss postings of a clock that was set back, so it begins earlier and ends later. */
const CLOCKS_DIFFER_MICROS = 86_400_000_000;

/** The numbers of the postings of an account that can be in the range. */
export const numbersIn = async (
  client: pg.PoolClient,
  { account, marketplaceId, from, to }: FeeRange & { readonly account: Account },
): Promise<Numbered> => {
  const postingsBefore = async (micros: number): Promise<bigint> => {
    const values = [marketplaceId, account.id, formatInstant(micros)];
    return (await client.query<{ seq: bigint }>(POSTINGS_BEFORE, values)).rows[0]?.seq ?? 0n;
  };
  return {
    account,
    after: await postingsBefore(parseInstant(from)! - CLOCKS_DIFFER_MICROS),
    last: await postingsBefore(parseInstant(to)! + CLOCKS_DIFFER_MICROS),
  };
};
