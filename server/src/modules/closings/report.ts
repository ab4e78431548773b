// The closing of a period: from the sealed figures, or from the postings since the newest sealed closing before it. It only reads.

import type { Journal } from '../exports/journal.ts';
import { readFigures, type Sealed } from './closing.ts';
import { begin, createTally, type Figures } from './figures.ts';
import { monthAt, type Period } from './period.ts';
import type { ClosingReads } from './queries.ts';

export type Closing = {
  readonly period: Period;
  readonly sealed: Pick<Sealed, 'hash' | 'sealedAt'> | null;
  readonly figures: readonly Figures[];
  /** Postings that were made with a time of the period after it was sealed. */
  readonly latePostings: bigint;
};

type Parts = { readonly reads: ClosingReads; readonly journal: Journal };

type Asked = { readonly marketplaceId: string; readonly period: Period; readonly now: string };

/** The day in a sealed month. A day without postings closes as the last one before it. */
const ofDay = (sealed: Sealed, date: string): Figures[] => {
  const own = sealed.days.find((day) => day.date === date);
  if (own) return own.currencies.map(readFigures);
  const before = sealed.days.findLast((day) => day.date < date);
  if (before) return before.currencies.map(readFigures).map(begin);
  return sealed.currencies.map(readFigures).map(({ currency, opening }) => begin({ currency, closing: opening }));
};

const fromSealed = (sealed: Sealed, { name }: Period): Figures[] =>
  name === sealed.id ? sealed.currencies.map(readFigures) : ofDay(sealed, name);

const earlier = (a: string, b: string): string => (a < b ? a : b);

export const createClosings = ({ reads, journal }: Parts) => {
  const fromPostings = async ({ marketplaceId, period, now }: Asked): Promise<Figures[]> => {
    const base = await reads.before(marketplaceId, period.from.slice(0, 7));
    const tally = createTally(base?.currencies.map(readFigures));
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

  return {
    async read(asked: Asked): Promise<Closing> {
      const { marketplaceId, period } = asked;
      const sealed = await reads.find(marketplaceId, monthAt(period.from).name);
      if (!sealed) return { period, sealed: null, figures: await fromPostings(asked), latePostings: 0n };
      const { hash, sealedAt } = sealed;
      const latePostings = await reads.lateCount(marketplaceId, sealed);
      return { period, sealed: { hash, sealedAt }, figures: fromSealed(sealed, period), latePostings };
    },
  };
};

export type Closings = ReturnType<typeof createClosings>;
