// The closing of a month or a day: whose the money is, what came in and went out, where it is, and whether the figures are sealed.

import type { ClosingReport } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { useFilters } from '../../parts/lists/filters.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ExactAmount } from '../../parts/money/amount.tsx';
import { amountOf } from '../../parts/money/amounts.ts';
import { Empty, Notice } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { exactTime } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';
import { Bars } from './bars.tsx';
import { ReportActions } from './report-actions.tsx';

type Figures = ClosingReport['currencies'][number];

const MONTH_LENGTH = 7;
const DAY_LENGTH = 10;

const today = (): string => new Date().toISOString().slice(0, DAY_LENGTH);

export const ClosingTab = () => {
  const client = useClient();
  const filters = useFilters(['period']);
  const period = filters.values.period ?? today().slice(0, MONTH_LENGTH);
  const isMonth = period.length === MONTH_LENGTH;
  const query = useQuery({
    queryKey: ['finance-reports', 'closing', period],
    queryFn: () => client.reports.closing(period),
  });
  const choose = (length: number): void => filters.set('period', (isMonth ? today() : period).slice(0, length));
  return (
    <Panel
      title={`Closing of ${period}`}
      actions={
        <ReportActions
          name={`closing-${period}`}
          csv={() => client.reports.closingCsv(period)}
          refresh={() => void query.refetch()}
          isBusy={query.isFetching}
        />
      }
    >
      <div className="stack">
        <div className="filters report-filters" data-open>
          <SelectField
            label="Period"
            value={isMonth ? 'month' : 'day'}
            options={[
              { value: 'month', name: 'Month' },
              { value: 'day', name: 'Day' },
            ]}
            onChange={(event) => choose(event.target.value === 'month' ? MONTH_LENGTH : DAY_LENGTH)}
          />
          <TextField
            label={isMonth ? 'Month' : 'Day'}
            type={isMonth ? 'month' : 'date'}
            value={period}
            max={today().slice(0, period.length)}
            onChange={(event) => filters.set('period', event.target.value)}
          />
        </div>
        <Loaded query={query} name="Closing">
          {(report) => <ClosingFigures report={report} />}
        </Loaded>
      </div>
    </Panel>
  );
};

const ClosingFigures = ({ report }: { readonly report: ClosingReport }) => (
  <div className="stack">
    <SealState report={report} />
    {report.currencies.length === 0 ? (
      <Empty title="No postings up to the end of this period">Choose a later month or day.</Empty>
    ) : (
      report.currencies.map((figures) => <CurrencyClosing key={figures.currency} figures={figures} />)
    )}
  </div>
);

const SealState = ({ report }: { readonly report: ClosingReport }) => {
  const { sealedAt, hash, openBecause } = report;
  return (
    <Notice
      title={sealedAt === null ? 'Not sealed' : `Sealed at ${exactTime(sealedAt)}`}
      tone={openBecause === null ? 'good' : 'warn'}
    >
      {hash === null ? null : <p className="report-hash">SHA-256 {hash}</p>}
      <p>{openBecause ?? 'Nothing can change these figures. The audit entry CLOSING_SEALED has the same hash.'}</p>
    </Notice>
  );
};

const CurrencyClosing = ({ figures }: { readonly figures: Figures }) => {
  const { currency, openingBy, closingBy, assets } = figures;
  const flow = [
    ['Opening', figures.opening],
    ['In', figures.in],
    ['Out', figures.out],
    ['Fees, part of out', figures.fees],
    ['Closing', figures.closing],
  ] as const;
  const owners = [
    ['Available', openingBy.available, closingBy.available],
    ['Reserved', openingBy.reserved, closingBy.reserved],
    ['In escrow', openingBy.inEscrow, closingBy.inEscrow],
  ] as const;
  const places = assets && [
    ['Wallets', assets.wallets],
    ['Escrow contracts', assets.contracts],
    ['Payment provider', assets.provider],
  ];
  const bar = (name: string, value: string, series: number) => ({
    name,
    value: amountOf(value),
    shown: <ExactAmount value={value} />,
    series,
  });
  return (
    <section className="stack report-currency" aria-label={`Closing in ${currency}`}>
      <h3>{currency}</h3>
      <div className="columns">
        <Bars caption="Users' money" rows={flow.map(([name, value]) => bar(name, value, 1))} />
        <Bars caption="Whose it is at the end" rows={owners.map(([name, , value]) => bar(name, value, 2))} />
        {places ? (
          <Bars caption="Where all assets are at the end" rows={places.map(([name, value]) => bar(name!, value!, 3))} />
        ) : (
          <p className="soft">An earlier version sealed this month. It did not store where the money was.</p>
        )}
        <Bars caption="Whose it was at the beginning" rows={owners.map(([name, value]) => bar(name, value, 4))} />
      </div>
    </section>
  );
};
