// The route of the closing of a month or a day.

import { type ClosingReport, getClosing } from '@holdfast/contract/api/closings.ts';
import type { Static } from 'typebox';
import { formatInstant } from '../../base/instant.ts';
import { fromUnits } from '../../books/money.ts';
import { presentExact } from '../../http/checked-values.ts';
import type { CsvTable } from '../../http/csv-answer.ts';
import { type Route, report } from '../../http/route.ts';
import { validationError } from '../../http/validation/messages.ts';
import { type Assets, type Figures, type Owned, totalOf } from './figures.ts';
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

const presentAssets = ({ wallets, contracts, provider }: Assets) => ({
  wallets: exact(wallets),
  contracts: exact(contracts),
  provider: exact(provider),
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
  assets: figures.assets && presentAssets(figures.assets),
});

/** Why the figures can still change; null: nothing can change them. */
const openBecause = ({ period, sealed, latePostings, isMonthEmpty }: Closing, now: string): string | null => {
  if (now < period.to) return 'The period has not ended.';
  if (isMonthEmpty) return 'This month has no postings, so it is not sealed.';
  if (!sealed)
    return 'The month of the period is not sealed yet. The job seal-closings seals it on the day after its end.';
  if (latePostings === 0n) return null;
  const late = latePostings === 1n ? 'One posting has' : `${latePostings} postings have`;
  return `${late} a time of this month although the month was sealed before, because a clock was set back. These figures do not include that.`;
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

const COLUMNS = [
  ...['period', 'currency', 'opening', 'in', 'out', 'fees', 'closing'],
  ...['opening_available', 'opening_reserved', 'opening_in_escrow'],
  ...['closing_available', 'closing_reserved', 'closing_in_escrow'],
  ...['assets_wallets', 'assets_contracts', 'assets_provider', 'sealed', 'hash'],
];

const closingTable = ({ period, sealed, hash, currencies }: Static<typeof ClosingReport>): CsvTable => ({
  name: `closing-${period}`,
  rows: [
    COLUMNS,
    ...currencies.map(({ currency, openingBy, closingBy, assets, ...figures }) => [
      ...[period, currency, figures.opening, figures.in, figures.out, figures.fees, figures.closing],
      ...[openingBy, closingBy].flatMap(({ available, reserved, inEscrow }) => [available, reserved, inEscrow]),
      ...[assets?.wallets ?? null, assets?.contracts ?? null, assets?.provider ?? null, String(sealed), hash],
    ]),
  ],
});

export const closingRoutes = ({ closings, now }: Parts): Route[] => [
  report(getClosing, {
    async answer({ query, context: { marketplaceId } }) {
      const period = periodOf(query.period);
      if (!period) throw validationError(['period must be a month or a day, such as 2026-11 or 2026-11-15']);
      const time = formatInstant(now());
      if (period.from > time) throw validationError(['period must not be in the future']);
      return presentClosing(await closings.read({ marketplaceId, period, now: time }), time);
    },
    table: closingTable,
  }),
];
