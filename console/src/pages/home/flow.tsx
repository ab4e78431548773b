// The flow of money: from available through reserved and in escrow to the recipients. The width of the last three bands
// shows the amount paid to each.

import type { ActivityReport, MoneyReport } from '@holdfast/sdk';
import type { ReactNode } from 'react';
import { ExactAmount } from '../../parts/money/amount.tsx';
import { add, amountOf, shareOf, type Units } from '../../parts/money/amounts.ts';

type Money = MoneyReport['currencies'][number];
type Totals = ActivityReport['totals'];

type Props = { readonly money: Money; readonly totals: Totals; readonly days: number };

export const Flow = ({ money, totals, days }: Props) => {
  const claim = (place: Money['claims'][number]['place']): Units =>
    amountOf(money.claims.find((each) => each.place === place)?.amount);
  const ends = [
    { name: 'To sellers of closed orders', value: amountOf(totals.releasedToSellers) },
    { name: 'Refunded to buyers of closed orders', value: amountOf(totals.refundedToBuyers) },
    { name: 'Platform fees of closed orders', value: amountOf(totals.platformFees) },
  ];
  const { currency } = money;
  return (
    <section className="flow" aria-label={`Money flow in ${currency}`}>
      <FlowStep name="Available" hint="spendable by users" now>
        <ExactAmount value={claim('user_available')} currency={currency} size="figure" />
      </FlowStep>
      <Band />
      <FlowStep name="Reserved" hint="for orders and withdrawals" now>
        <ExactAmount value={claim('user_reserved')} currency={currency} size="figure" />
      </FlowStep>
      <Band />
      <FlowStep name="In escrow" hint="in ledger contracts" now>
        <ExactAmount value={claim('in_escrow')} currency={currency} size="figure" />
      </FlowStep>
      <SplitBand values={ends.map((end) => end.value)} />
      <div className="flow-ends">
        {ends.map(({ name, value }, place) => (
          <FlowStep key={name} name={name} hint={`last ${days} days`} series={place + 1}>
            <ExactAmount value={value} currency={currency} />
          </FlowStep>
        ))}
      </div>
    </section>
  );
};

type FlowStepProps = {
  readonly name: string;
  readonly hint: string;
  readonly now?: boolean;
  readonly series?: number;
  readonly children: ReactNode;
};

const FlowStep = ({ name, hint, now, series, children }: FlowStepProps) => (
  <dl className="flow-stop" data-now={now} data-series={series}>
    <dt>{name}</dt>
    <dd>{children}</dd>
    <dd className="flow-hint">{hint}</dd>
  </dl>
);

const Band = () => (
  <svg className="flow-gap" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
    <path d="M0 40H100V60H0Z" />
  </svg>
);

const THIN = 2;
const SPREAD = [17, 50, 83];

/** One band that splits into three. */
const SplitBand = ({ values }: { readonly values: readonly Units[] }) => {
  const whole = add(...values);
  // A zero amount still draws a thin line.
  const widths = values.map((value) => THIN + (shareOf(value, whole) * 18) / 1_000);
  const total = widths.reduce((sum, width) => sum + width, 0);
  let from = 50 - total / 2;
  return (
    <svg className="flow-gap" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      {widths.map((width, place) => {
        const start = from;
        from += width;
        const end = SPREAD[place]! - width / 2;
        const top = `M0 ${start}C50 ${start} 50 ${end} 100 ${end}`;
        return (
          <path
            key={SPREAD[place]}
            data-series={place + 1}
            d={`${top}V${end + width}C50 ${end + width} 50 ${start + width} 0 ${start + width}Z`}
          />
        );
      })}
    </svg>
  );
};
