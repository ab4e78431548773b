// The money of one currency: flow, liabilities and assets, and the charts of the last days.

import type { ActivityReport, MoneyReport } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { DayChart } from '../../parts/charts/chart.tsx';
import { ChoiceFilter, useFilters } from '../../parts/lists/filters.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { amountOf, ZERO } from '../../parts/money/amounts.ts';
import { Empty } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { useClient, useConfig } from '../../session.tsx';
import { Flow } from './flow.tsx';
import { LiabilitiesAndAssets } from './liabilities-and-assets.tsx';

type Currency = ActivityReport['currency'];

const SPANS = ['7', '30', '90'];
const DAYS = 30;

export const MoneyPanels = () => {
  const client = useClient();
  const config = useConfig();
  const filters = useFilters(['currency', 'days']);
  const currency = (filters.values.currency ?? config?.baseCurrency) as Currency | undefined;
  const days = SPANS.includes(filters.values.days ?? '') ? Number(filters.values.days) : DAYS;
  const money = useQuery({ queryKey: ['reports', 'money'], queryFn: () => client.reports.money() });
  const activity = useQuery({
    queryKey: ['reports', 'activity', { currency, days }],
    queryFn: () => client.reports.activity({ days, ...(currency ? { currency } : {}) }),
    enabled: currency !== undefined,
    placeholderData: (before) => before,
  });
  const choices = (
    <>
      <ChoiceFilter
        filters={filters}
        name="currency"
        label="Currency"
        all={config?.baseCurrency ?? 'Base'}
        options={(config?.currencies ?? [])
          .filter((each) => each !== config?.baseCurrency)
          .map((each) => ({ value: each, name: each }))}
      />
      <ChoiceFilter
        filters={filters}
        name="days"
        label="Period"
        all={`${DAYS} days`}
        options={SPANS.filter((span) => Number(span) !== DAYS).map((span) => ({ value: span, name: `${span} days` }))}
      />
    </>
  );
  return (
    <>
      <Panel
        title="Where the money is"
        actions={
          <div className="filters home-choices" data-open>
            {choices}
          </div>
        }
      >
        <Loaded query={money} name="Money">
          {(report) => (
            <Loaded query={activity} name="Activity">
              {(done) => <Where report={report} activity={done} days={days} />}
            </Loaded>
          )}
        </Loaded>
      </Panel>
      <div className="columns">
        <Panel title="Volume of closed orders">
          <Loaded query={activity} name="Volume">
            {(done) => <Volume activity={done} />}
          </Loaded>
        </Panel>
        <Panel title="Time to settle">
          <Loaded query={activity} name="Time to settle">
            {(done) => <Settlement activity={done} />}
          </Loaded>
        </Panel>
      </div>
    </>
  );
};

type WhereProps = { readonly report: MoneyReport; readonly activity: ActivityReport; readonly days: number };

const Where = ({ report, activity, days }: WhereProps) => {
  const money = report.currencies.find((each) => each.currency === activity.currency);
  if (!money) {
    return (
      <Empty title={`No ${activity.currency} transactions yet`}>
        Choose another currency, or credit a balance first.
      </Empty>
    );
  }
  return (
    <div className="stack home-where">
      <Flow money={money} totals={activity.totals} days={days} />
      <LiabilitiesAndAssets money={money} />
    </div>
  );
};

const Volume = ({ activity }: { readonly activity: ActivityReport }) => {
  const { days, currency } = activity;
  const chart = useMemo(
    () => ({
      days: days.map((day) => day.date),
      series: [
        { name: 'To sellers', values: days.map((day) => amountOf(day.releasedToSellers)) },
        { name: 'Refunded to buyers', values: days.map((day) => amountOf(day.refundedToBuyers)) },
        { name: 'Platform fees', values: days.map((day) => amountOf(day.platformFees)) },
      ],
    }),
    [days],
  );
  if (chart.series.every(({ values }) => values.every((value) => value === ZERO))) {
    return <Empty title="No closed orders in this period">The amounts of each day appear here.</Empty>;
  }
  return <DayChart label={`Settled per day, in ${currency}`} kind="bars" {...chart} />;
};

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

const duration = (value: bigint | number): string => {
  const seconds = Number(value);
  if (seconds < MINUTE) return `${seconds} s`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min`;
  return seconds < DAY ? `${Math.floor(seconds / HOUR)} h` : `${Math.floor(seconds / DAY)} d`;
};

const Settlement = ({ activity }: { readonly activity: ActivityReport }) => {
  const { days } = activity;
  const chart = useMemo(
    () => ({
      days: days.map((day) => day.date),
      series: [
        { name: 'Median', values: days.map((day) => day.settlement.medianSeconds) },
        { name: '90th percentile', values: days.map((day) => day.settlement.p90Seconds) },
      ],
    }),
    [days],
  );
  if (days.every((day) => day.ordersSettled === 0)) {
    return <Empty title="No settled orders yet">The time from creation to settlement appears here.</Empty>;
  }
  return <DayChart label="Time from creation to settlement, per day" kind="lines" show={duration} {...chart} />;
};
