// Payouts: withdrawals that were paid, that failed and that are open, by kind of destination and by destination.

import '../../styles/table.css';
import type { PayoutReport } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../parts/loaded.tsx';
import { ExactAmount } from '../../parts/money/amount.tsx';
import { amountOf } from '../../parts/money/amounts.ts';
import { Empty } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { statusWords } from '../../parts/status.tsx';
import { plural } from '../../plural.ts';
import { useClient } from '../../session.tsx';
import { Bars } from './bars.tsx';
import { DayFields, useDays } from './range.tsx';
import { ReportActions } from './report-actions.tsx';

type Group = PayoutReport['groups'][number];
type Parts = Pick<Group, 'paid' | 'failed' | 'open'>;

const PARTS = [
  ['Paid', 'paid'],
  ['Failed or cancelled', 'failed'],
  ['Open', 'open'],
] as const;

export const PayoutsTab = () => {
  const client = useClient();
  const { filters, first, last, range } = useDays();
  const query = useQuery({
    queryKey: ['finance-reports', 'payouts', range],
    queryFn: () => client.reports.payouts(range),
  });
  return (
    <Panel
      title={`Payouts from ${first} to ${last}`}
      actions={
        <ReportActions
          name={`payouts-${first}-${last}`}
          csv={() => client.reports.payoutsCsv(range)}
          refresh={() => void query.refetch()}
          isBusy={query.isFetching}
        />
      }
    >
      <div className="stack">
        <div className="filters report-filters" data-open>
          <DayFields filters={filters} first={first} last={last} />
        </div>
        <Loaded query={query} name="Payouts">
          {({ groups }) =>
            groups.length === 0 ? (
              <Empty title="No withdrawals in this range">Choose an earlier first day.</Empty>
            ) : (
              groups.map((group) => <PayoutGroup key={`${group.type} ${group.currency}`} group={group} />)
            )
          }
        </Loaded>
      </div>
    </Panel>
  );
};

const PayoutGroup = ({ group }: { readonly group: Group }) => {
  const { type, currency, destinations, rest } = group;
  const title = `${statusWords(type)}, ${currency}`;
  return (
    <section className="stack report-currency" aria-label={title}>
      <h3>{title}</h3>
      <Bars
        caption="All destinations"
        rows={PARTS.map(([name, part], place) => ({
          name: `${name} (${group[part].count})`,
          value: amountOf(group[part].amount),
          shown: <ExactAmount value={group[part].amount} />,
          series: [1, 4, 2][place]!,
        }))}
      />
      <div className="table-box">
        <table className="table">
          <caption className="hidden-text">Destinations, largest first: {title}</caption>
          <thead>
            <tr>
              <th scope="col">Destination</th>
              {PARTS.map(([name]) => (
                <th key={name} scope="col" data-align="end">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {destinations.map((each) => (
              <DestinationRow key={each.address ?? each.email} name={each.address ?? each.email ?? ''} parts={each} />
            ))}
            {rest ? <DestinationRow name={plural(rest.destinations, 'other destination')} parts={rest} /> : null}
          </tbody>
        </table>
      </div>
    </section>
  );
};

const DestinationRow = ({ name, parts }: { readonly name: string; readonly parts: Parts }) => (
  <tr>
    <td data-label="Destination">
      <span className="report-destination">{name}</span>
    </td>
    {PARTS.map(([title, part]) => (
      <td key={part} data-label={title} data-align="end">
        <span>
          <ExactAmount value={parts[part].amount} /> <span className="soft">({parts[part].count})</span>
        </span>
      </td>
    ))}
  </tr>
);
