// Open items by age: orders in escrow, disputes, withdrawals, top-ups and breaks, with the oldest of each kind.

import '../../styles/table.css';
import type { OpenItemsReport } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ExactAmount } from '../../parts/money/amount.tsx';
import { amountOf, formatAmount, placesOf } from '../../parts/money/amounts.ts';
import { Panel } from '../../parts/panel.tsx';
import { exactTime, Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';
import { Bars } from './bars.tsx';
import { ReportActions } from './report-actions.tsx';

type Kind = OpenItemsReport['kinds'][number];
type Ages = Kind['currencies'][number];

const LISTED = 10;

const NAMES: Readonly<Record<Kind['kind'], string>> = {
  orders_in_escrow: 'Orders in escrow',
  disputes: 'Disputes',
  withdrawals: 'Withdrawals',
  topups: 'Top-ups',
  breaks: 'Reconciliation differences',
};

const AGES: Readonly<Record<Ages['ages'][number]['age'], string>> = {
  under_1_day: 'Under 1 day',
  '1_to_7_days': '1 to 7 days',
  '7_to_30_days': '7 to 30 days',
  '30_to_90_days': '30 to 90 days',
  over_90_days: 'Over 90 days',
};

export const OpenItemsTab = () => {
  const client = useClient();
  const query = useQuery({
    queryKey: ['finance-reports', 'open-items'],
    queryFn: () => client.reports.openItems({ limit: LISTED }),
  });
  return (
    <Panel
      title="Open items"
      actions={
        <ReportActions
          name={`open-items-${new Date().toISOString().slice(0, 10)}`}
          csv={() => client.reports.openItemsCsv({ limit: LISTED })}
          refresh={() => void query.refetch()}
          isBusy={query.isFetching}
        />
      }
    >
      <Loaded query={query} name="Open items">
        {({ at, kinds }) => (
          <div className="stack">
            <p className="soft">At {exactTime(at)}</p>
            {kinds.map((kind) => (
              <OpenKind key={kind.kind} kind={kind} />
            ))}
          </div>
        )}
      </Loaded>
    </Panel>
  );
};

const OpenKind = ({ kind }: { readonly kind: Kind }) => (
  <section className="stack report-currency" aria-label={NAMES[kind.kind]}>
    <h3>
      {NAMES[kind.kind]} <span className="soft">({kind.count})</span>
    </h3>
    {kind.count === 0 ? <p className="soft">Nothing is open.</p> : null}
    <div className="columns">
      {kind.currencies.map((ages) => (
        <AgeBars key={ages.currency ?? 'none'} ages={ages} />
      ))}
    </div>
    {kind.oldest.length === 0 ? null : <Oldest items={kind.oldest} name={NAMES[kind.kind]} />}
  </section>
);

const exactText = (amount: string): string => {
  const units = amountOf(amount);
  return formatAmount(units, { places: placesOf(units) });
};

/** Breaks have counts only: the differences of several balances cannot be added up. */
const AgeBars = ({ ages: { currency, ages, amount } }: { readonly ages: Ages }) => (
  <Bars
    caption={currency === null || amount === null ? 'By age' : `By age, ${exactText(amount)} ${currency}`}
    rows={ages.map((each) => ({
      name: `${AGES[each.age]} (${each.count})`,
      value: amountOf(each.amount ?? String(each.count)),
      shown: each.amount === null ? each.count : <ExactAmount value={each.amount} />,
    }))}
  />
);

const Oldest = ({ items, name }: { readonly items: Kind['oldest']; readonly name: string }) => (
  <div className="table-box">
    <table className="table" data-compact>
      <caption className="hidden-text">{name}, oldest first</caption>
      <thead>
        <tr>
          <th scope="col">Oldest</th>
          <th scope="col">Since</th>
          <th scope="col" data-align="end">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ id, since, amount, currency }) => (
          <tr key={id}>
            <td data-label="Oldest" data-phone="title">
              <Id value={id} copy={false} />
            </td>
            <td data-label="Since" data-phone="under">
              <Time value={since} exact />
            </td>
            <td data-label="Amount" data-align="end" data-phone="value">
              <ExactAmount value={amount} {...(currency === null ? {} : { currency })} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
