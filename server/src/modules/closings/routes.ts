// The route of the closing of a month or a day.

import { getClosing } from '@holdfast/contract/api/closings.ts';
import { formatInstant } from '../../base/instant.ts';
import { fromUnits } from '../../books/money.ts';
import { presentExact } from '../../http/checked-values.ts';
import { type Route, read } from '../../http/route.ts';
import { validationError } from '../../http/validation/messages.ts';
import { type Figures, type Owned, totalOf } from './figures.ts';
import { periodOf } from './period.ts';
import type { Closing, Closings } from './report.ts';

type Parts = {
  readonly closings: Closings;
  /** Microseconds. */
  now(): number;
};

const exact = (units: bigint): string => presentExact(fromUnits(units));

const presentOwned = ({ available, reserved, inEscrow }: Owned) => ({
  available: exact(available),
  reserved: exact(reserved),
  inEscrow: exact(inEscrow),
});

const presentFigures = (figures: Figures) => ({
  currency: figures.currency,
  opening: exact(totalOf(figures.opening)),
  in: exact(figures.in),
  out: exact(figures.out),
  closing: exact(totalOf(figures.closing)),
  fees: exact(figures.fees),
  openingBy: presentOwned(figures.opening),
  closingBy: presentOwned(figures.closing),
});

/** Why the figures can still change; null: nothing can change them. */
const openBecause = ({ period, sealed, latePostings }: Closing, now: string): string | null => {
  if (now < period.to) return 'The period has not ended.';
  if (!sealed)
    return 'The month of the period is not sealed yet. The job seal-closings seals it on the day after its end.';
  if (latePostings === 0n) return null;
  return `${latePostings} postings have a time of this month and were made after it was sealed, because a clock was set back. They are not in these figures.`;
};

const presentClosing = (closing: Closing, now: string) => ({
  period: closing.period.name,
  from: closing.period.from,
  to: closing.period.to,
  sealed: closing.sealed !== null,
  sealedAt: closing.sealed?.sealedAt ?? null,
  hash: closing.sealed?.hash ?? null,
  openBecause: openBecause(closing, now),
  currencies: closing.figures.map(presentFigures),
});

export const closingRoutes = ({ closings, now }: Parts): Route[] => [
  read(getClosing, async ({ query, context: { marketplaceId } }) => {
    const period = periodOf(query.period);
    if (!period) throw validationError(['period must be a month or a day, such as 2026-11 or 2026-11-15']);
    const time = formatInstant(now());
    if (period.from > time) throw validationError(['period must not be in the future']);
    return presentClosing(await closings.read({ marketplaceId, period, now: time }), time);
  }),
];
