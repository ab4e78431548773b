// The fees of each day: of sealed months from their closings, and of the time since from the postings of the accounts of fees. Postings that
// are archived and in no closing are read from the files. It only reads.

import { CURRENCIES, type Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { formatInstant, parseInstant } from '../../base/instant.ts';
import { networkFees, platformFees } from '../../books/accounts.ts';
import { inSnapshot } from '../../postgres/connection.ts';
import { readFigures, type Sealed } from '../closings/closing.ts';
import { createTally, type Figures } from '../closings/figures.ts';
import type { ClosingReads } from '../closings/queries.ts';
import type { Journal } from '../exports/journal.ts';
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

type FeeRange = { readonly marketplaceId: string; readonly from: string; readonly to: string };

type Parts = { readonly pool: pg.Pool; readonly closings: ClosingReads; readonly journal: Journal };

/** No sealed month comes after it. */
const LAST_MONTH = '9999-12';

/** The search by time may miss postings of a clock that was set back, so it begins earlier and ends later. */
const CLOCKS_DIFFER_MICROS = 86_400_000_000;

const ARCHIVED = 'select from archives r where r.marketplace_id = $1 and r.ends_at > $2 limit 1';

// By the numbers of the account: `offset 0` keeps the planner from the index of times, which finds the postings of all accounts. The
// connection's time zone is UTC, so days begin at midnight UTC. Fees are a claim, and costs are a holding, which is negative.
const DAYS = `select date_trunc('day', p.posted_at) as day,
    sum(p.amount) filter (where p.amount > 0 and $3::boolean)::text as earned,
    (-sum(p.amount) filter (where p.amount < 0 and $3))::text as reversed,
    (-sum(p.amount) filter (where p.move <> 'payment_fee' and not $3))::text as network,
    (-sum(p.amount) filter (where p.move = 'payment_fee' and not $3))::text as provider
  from (select p.move, p.amount, p.posted_at from postings p
    where p.marketplace_id = $1 and p.account_id = $2 and p.seq > $4 and p.seq <= $5 offset 0) p
  where p.posted_at >= $6 and p.posted_at < $7
  group by 1`;

type DayRow = { readonly day: string } & Readonly<Record<keyof FeeFigures, string | null>>;

const dayOf = (currency: Currency, row: DayRow): FeeDay => ({
  date: row.day.slice(0, 10),
  currency,
  earned: BigInt(row.earned ?? 0),
  reversed: BigInt(row.reversed ?? 0),
  network: BigInt(row.network ?? 0),
  provider: BigInt(row.provider ?? 0),
});

/** By the accounts of fees, which have few postings beside all others. The client is in a snapshot. */
const fromPostings = async (client: pg.PoolClient, { marketplaceId, from, to }: FeeRange): Promise<FeeDay[]> => {
  const first = formatInstant(parseInstant(from)! - CLOCKS_DIFFER_MICROS);
  const last = formatInstant(parseInstant(to)! + CLOCKS_DIFFER_MICROS);
  const days: FeeDay[] = [];
  for (const currency of CURRENCIES) {
    for (const account of [platformFees(currency), networkFees(currency)]) {
      const postingsBefore = async (time: string): Promise<bigint> => {
        const found = await client.query<{ seq: bigint }>(POSTINGS_BEFORE, [marketplaceId, account.id, time]);
        return found.rows[0]?.seq ?? 0n;
      };
      const numbers = [await postingsBefore(first), await postingsBefore(last)];
      const values = [marketplaceId, account.id, account.side === 'claim', ...numbers, from, to];
      const { rows } = await client.query<DayRow>(DAYS, values);
      days.push(...rows.map((row) => dayOf(currency, row)));
    }
  }
  return days;
};

const feesOf = (date: string, { currency, fees, costs }: Figures): FeeDay => ({
  date,
  currency,
  earned: fees,
  reversed: costs?.reversed ?? 0n,
  network: costs?.network ?? 0n,
  provider: costs?.provider ?? 0n,
});

/** Every posting of the range, also archived ones. */
const fromJournal = async (journal: Journal, range: FeeRange): Promise<FeeDay[]> => {
  const tallies = new Map<string, ReturnType<typeof createTally>>();
  for await (const transfers of journal.read(range)) {
    for (const transfer of transfers) {
      const date = transfer.postedAt.slice(0, 10);
      if (!tallies.has(date)) tallies.set(date, createTally());
      tallies.get(date)!.take(transfer);
    }
  }
  return [...tallies].flatMap(([date, tally]) => tally.close().map((figures) => feesOf(date, figures)));
};

const later = (one: string, other: string): string => (one > other ? one : other);
const earlier = (one: string, other: string): string => (one < other ? one : other);

const hasCosts = ({ days }: Sealed): boolean =>
  days.every(({ currencies }) => currencies.every(({ costs }) => costs !== undefined));

const fromClosing = ({ days }: Sealed, { from, to }: FeeRange): FeeDay[] =>
  days
    .filter(({ date }) => date >= from.slice(0, 10) && date < to.slice(0, 10))
    .flatMap(({ date, currencies }) => currencies.map(readFigures).map((figures) => feesOf(date, figures)));

export const createFeeDays = ({ pool, closings, journal }: Parts) => {
  const readSealed = async (range: FeeRange): Promise<FeeDay[]> => {
    const { marketplaceId, from, to } = range;
    const months = { first: from.slice(0, 7), before: to.slice(0, 10) };
    const days: FeeDay[] = [];
    for (const sealed of await closings.between(marketplaceId, months)) {
      const part = { marketplaceId, from: later(from, sealed.fromAt), to: earlier(to, sealed.toAt) };
      if (hasCosts(sealed)) days.push(...fromClosing(sealed, range));
      else if (part.from < part.to) days.push(...(await fromJournal(journal, part)));
    }
    return days;
  };

  const readSince = async (range: FeeRange): Promise<FeeDay[]> => {
    if (range.from >= range.to) return [];
    const archived = await pool.query(ARCHIVED, [range.marketplaceId, range.from]);
    if (archived.rows.length > 0) return fromJournal(journal, range);
    return inSnapshot(pool, (client) => fromPostings(client, range));
  };

  return {
    /** The range begins and ends at midnight. A day may have several entries of one currency. */
    async read(range: FeeRange): Promise<FeeDay[]> {
      // Everything before the end of the last sealed month is in the closings.
      const last = await closings.before(range.marketplaceId, LAST_MONTH);
      const since = { ...range, from: later(range.from, last?.toAt ?? range.from) };
      return [...(await readSealed(range)), ...(await readSince(since))];
    },
  };
};

export type FeeDays = ReturnType<typeof createFeeDays>;
