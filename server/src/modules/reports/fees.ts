// The fee report: the fees of each day, added up by currency and interval.

import type { FeeInterval, FeeReport } from '@holdfast/contract/api/finance-reports.ts';
import { CURRENCIES } from '@holdfast/contract/currencies.ts';
import type { Static } from 'typebox';
import { fromUnits } from '../../books/money.ts';
import { presentExact } from '../../http/checked-values.ts';
import type { CsvTable } from '../../http/csv-answer.ts';
import type { FeeDay, FeeFigures } from './fee-postings.ts';
import { type DayRange, intervalsOf } from './finance-range.ts';

export type Fees = Static<typeof FeeReport>;

const NONE: FeeFigures = { earned: 0n, reversed: 0n, network: 0n, provider: 0n };

const plus = (one: FeeFigures, other: FeeFigures): FeeFigures => ({
  earned: one.earned + other.earned,
  reversed: one.reversed + other.reversed,
  network: one.network + other.network,
  provider: one.provider + other.provider,
});

const exact = (units: bigint): string => presentExact(fromUnits(units));

const presentFees = ({ earned, reversed, network, provider }: FeeFigures) => ({
  earned: exact(earned),
  reversed: exact(reversed),
  networkFees: exact(network),
  providerFees: exact(provider),
  net: exact(earned - reversed - network - provider),
});

const isNothing = ({ earned, reversed, network, provider }: FeeFigures): boolean =>
  [earned, reversed, network, provider].every((units) => units === 0n);

type Asked = { readonly days: readonly FeeDay[]; readonly range: DayRange; readonly interval: FeeInterval };

export const presentFeeReport = ({ days, range, interval }: Asked): Fees => {
  const intervals = intervalsOf(range, interval);
  const counted = days.filter((day) => !isNothing(day));
  const ofCurrency = (currency: FeeDay['currency']) => {
    const own = counted.filter((day) => day.currency === currency);
    const within = ({ from, to }: DayRange): FeeFigures =>
      own.filter(({ date }) => date >= from.slice(0, 10) && date < to.slice(0, 10)).reduce(plus, NONE);
    return {
      currency,
      totals: presentFees(own.reduce(plus, NONE)),
      intervals: intervals.map((each) => ({ ...each, ...presentFees(within(each)) })),
    };
  };
  const currencies = CURRENCIES.filter((currency) => counted.some((day) => day.currency === currency));
  return { ...range, interval, currencies: currencies.map(ofCurrency) };
};

const COLUMNS = ['from', 'to', 'currency', 'earned', 'reversed', 'network_fees', 'provider_fees', 'net'];

export const feeTable = ({ from, to, interval, currencies }: Fees): CsvTable => ({
  name: `fees-by-${interval}-${from.slice(0, 10)}-${to.slice(0, 10)}`,
  rows: [
    COLUMNS,
    ...currencies.flatMap(({ currency, intervals }) =>
      intervals.map((each) => [
        ...[each.from, each.to, currency],
        ...[each.earned, each.reversed, each.networkFees, each.providerFees, each.net],
      ]),
    ),
  ],
});
