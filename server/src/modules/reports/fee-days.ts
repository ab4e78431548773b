// The fees of each day: of sealed months from their closings, and of the time since from the maintained sums and the postings of the accounts
// of fees. Postings that are archived and in no closing are read from the files. It only reads.

import type pg from 'pg';
import { inSnapshot } from '../../postgres/connection.ts';
import { readFigures, type Sealed } from '../closings/closing.ts';
import { createTally, type Figures } from '../closings/figures.ts';
import type { ClosingReads } from '../closings/queries.ts';
import type { Journal } from '../exports/journal.ts';
import type { FeeDay, FeeRange } from './fee-postings.ts';
import { readFeeDays } from './fee-sums.ts';

type Parts = { readonly pool: pg.Pool; readonly closings: ClosingReads; readonly journal: Journal };

/** No sealed month comes after it. */
const LAST_MONTH = '9999-12';

const ARCHIVED = 'select from archives r where r.marketplace_id = $1 and r.ends_at > $2 limit 1';

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
    const days = await inSnapshot(pool, async (client) => {
      const archived = await client.query(ARCHIVED, [range.marketplaceId, range.from]);
      return archived.rows.length > 0 ? null : readFeeDays(client, range);
    });
    return days ?? fromJournal(journal, range);
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
