// Fee income: what the platform has earned and what it has cost, by day, week or month.

import '../../styles/table.css';
import type { FeeReport } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { DayChart } from '../../parts/charts/chart.tsx';
import { ChoiceFilter } from '../../parts/lists/filters.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ExactAmount } from '../../parts/money/amount.tsx';
import { amountOf, ZERO } from '../../parts/money/amounts.ts';
import { Empty } from '../../parts/notice.tsx';
import { Figure, Panel } from '../../parts/panel.tsx';
import { useClient } from '../../session.tsx';
import { DayFields, useDays } from './range.tsx';
import { ReportActions } from './report-actions.tsx';

type Fees = FeeReport['currencies'][number];
type Interval = FeeReport['interval'];

const intervalOf = (text: string | undefined): Interval => (text === 'week' || text === 'month' ? text : 'day');

export const FeesTab = () => {
  const client = useClient();
  const { filters, first, last, range } = useDays();
  const asked = { ...range, interval: intervalOf(filters.values.interval) };
  const query = useQuery({
    queryKey: ['finance-reports', 'fees', asked],
    queryFn: () => client.reports.fees(asked),
  });
  return (
    <Panel
      title={`Fee income from ${first} to ${last}`}
      actions={
        <ReportActions
          name={`fees-${first}-${last}`}
          csv={() => client.reports.feesCsv(asked)}
          refresh={() => void query.refetch()}
          isBusy={query.isFetching}
        />
      }
    >
      <div className="stack">
        <div className="filters report-filters" data-open>
          <DayFields filters={filters} first={first} last={last} />
          <ChoiceFilter filters={filters} name="interval" label="Interval" all="Day" options={['week', 'month']} />
        </div>
        <Loaded query={query} name="Fee income">
          {({ currencies }) =>
            currencies.length === 0 ? (
              <Empty title="No fees in this range">Choose an earlier first day.</Empty>
            ) : (
              <>
                <p className="soft">Costs in other currencies are listed under those currencies.</p>
                {currencies.map((fees) => (
                  <CurrencyFees key={fees.currency} fees={fees} />
                ))}
              </>
            )
          }
        </Loaded>
      </div>
    </Panel>
  );
};

const COLUMNS = [
  ['Earned', 'earned'],
  ['Reversed', 'reversed'],
  ['Network and protocol fees', 'networkFees'],
  ['Provider fees', 'providerFees'],
  ['Net', 'net'],
] as const;

const hasFigures = (row: Fees['totals']): boolean => COLUMNS.some(([, name]) => amountOf(row[name]) !== 0n);

const CurrencyFees = ({ fees }: { readonly fees: Fees }) => {
  const { currency, intervals, totals } = fees;
  const chart = useMemo(
    () => ({
      days: intervals.map(({ from }) => from.slice(0, 10)),
      series: [{ name: 'Earned', values: intervals.map(({ earned }) => amountOf(earned)) }],
    }),
    [intervals],
  );
  return (
    <section className="stack report-currency" aria-label={`Fee income in ${currency}`}>
      <h3>{currency}</h3>
      <div className="report-figures">
        {COLUMNS.map(([title, name]) => (
          <Figure key={name} name={title}>
            <ExactAmount value={totals[name]} />
          </Figure>
        ))}
      </div>
      {amountOf(totals.earned) === ZERO ? null : (
        <DayChart label={`Fees earned, in ${currency}`} kind="bars" {...chart} />
      )}
      <div className="table-box">
        <table className="table">
          <caption className="hidden-text">Intervals with fees or costs, oldest first, in {currency}</caption>
          <thead>
            <tr>
              <th scope="col">From</th>
              {COLUMNS.map(([title]) => (
                <th key={title} scope="col" data-align="end">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {intervals.filter(hasFigures).map((row) => (
              <tr key={row.from}>
                <td data-label="From">{row.from.slice(0, 10)}</td>
                {COLUMNS.map(([title, name]) => (
                  <td key={title} data-label={title} data-align="end">
                    <ExactAmount value={row[name]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
};
