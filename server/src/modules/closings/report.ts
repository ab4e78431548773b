// The closing of a period: from the sealed figures, or from the postings since the newest sealed closing before it. It only reads.

import type { Journal } from '../exports/journal.ts';
import { readFigures, type Sealed } from './closing.ts';
import { begin, createTally, type Figures, NO_ASSETS } from './figures.ts';
import { readOpening } from './opening.ts';
import { monthAt, type Period } from './period.ts';
import type { ClosingReads } from './queries.ts';

export type Closing = {
  readonly period: Period;
  readonly sealed: Pick<Sealed, 'hash' | 'sealedAt'> | null;
  readonly figures: readonly Figures[];
  /** Postings that were made with a time of the period after it was sealed. */
  readonly latePostings: bigint;
  /** Whether the month of the period has ended without a posting. Such a month is never sealed. */
  readonly isMonthEmpty: boolean;
};

type Parts = { readonly reads: ClosingReads; readonly journal: Journal };

type Asked = { readonly marketplaceId: string; readonly period: Period; readonly now: string };

/** The opening of a sealed month. Where the money was then is in the sealed month before it. */
const openingFigures = (sealed: Sealed, previous: Sealed | null): Figures[] => {
  const before = new Map(previous?.currencies.map((each) => [each.currency, readFigures(each)]));
  return sealed.currencies.map(readFigures).map(({ currency, opening }) => {
    const assets = before.has(currency) ? before.get(currency)!.assets : NO_ASSETS;
    return begin({ currency, closing: opening, assets });
  });
};

const earlier = (a: string, b: string): string => (a < b ? a : b);

export const createClosings = ({ reads, journal }: Parts) => {
  /** The day in a sealed month. A day without postings closes as the last one before it. */
  const ofDay = async (sealed: Sealed, { marketplaceId, period }: Asked): Promise<Figures[]> => {
    const own = sealed.days.find((day) => day.date === period.name);
    if (own) return own.currencies.map(readFigures);
    const before = sealed.days.findLast((day) => day.date < period.name);
    if (before) return before.currencies.map(readFigures).map(begin);
    return openingFigures(sealed, await reads.before(marketplaceId, sealed.id));
  };

  const fromSealed = async (sealed: Sealed, asked: Asked): Promise<Figures[]> =>
    asked.period.name === sealed.id ? sealed.currencies.map(readFigures) : ofDay(sealed, asked);

  const fromPostings = async ({ marketplaceId, period, now }: Asked): Promise<Figures[]> => {
    const base = await reads.before(marketplaceId, period.from.slice(0, 7));
    const tally = createTally(await readOpening(reads, { marketplaceId, sealed: base }));
    const end = earlier(period.to, now);
    let isInside = false;
    for await (const transfers of journal.read({ marketplaceId, from: base?.toAt ?? null, to: end })) {
      for (const transfer of transfers) {
        if (!isInside && transfer.postedAt >= period.from) {
          tally.close();
          isInside = true;
        }
        tally.take(transfer);
      }
    }
    const figures = tally.close();
    return isInside ? figures : figures.map(begin);
  };

  /** Stops at the first posting. */
  const isMonthEmpty = async ({ marketplaceId, period, now }: Asked): Promise<boolean> => {
    const { from, to } = monthAt(period.from);
    if (now < to) return false;
    for await (const transfers of journal.read({ marketplaceId, from, to })) if (transfers.length > 0) return false;
    return true;
  };

  return {
    async read(asked: Asked): Promise<Closing> {
      const { marketplaceId, period } = asked;
      const sealed = await reads.find(marketplaceId, monthAt(period.from).name);
      if (!sealed) {
        const figures = await fromPostings(asked);
        return { period, sealed: null, figures, latePostings: 0n, isMonthEmpty: await isMonthEmpty(asked) };
      }
      const { hash, sealedAt } = sealed;
      const latePostings = await reads.lateCount(marketplaceId, sealed);
      const figures = await fromSealed(sealed, asked);
      return { period, sealed: { hash, sealedAt }, figures, latePostings, isMonthEmpty: false };
    },
  };
};

export type Closings = ReturnType<typeof createClosings>;
