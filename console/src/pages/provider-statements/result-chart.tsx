// The result of a comparison as bars: how many lines and records have each status, by currency. It is a table for screen readers and on
// paper.

import type { ProviderStatementReport } from '@holdfast/sdk';
import { Link } from 'react-router';
import { ExactAmount } from '../../parts/money/amount.tsx';
import { Status } from '../../parts/status.tsx';
import { LINE_STATUSES, LINE_TONES } from './words.ts';

type Total = ProviderStatementReport['totals'][number];

const currenciesOf = (totals: readonly Total[]): string[] => [...new Set(totals.map(({ currency }) => currency))];

export const ResultChart = ({ report: { totals } }: { readonly report: ProviderStatementReport }) => {
  const largest = Math.max(1, ...totals.map(({ count }) => count));
  if (totals.length === 0) return <p className="soft">The file and our records have nothing in this range.</p>;
  return currenciesOf(totals).map((currency) => (
    <table key={currency} className="statement-chart">
      <caption>{currency}</caption>
      <thead>
        <tr>
          <th scope="col">Status</th>
          <td aria-hidden="true" />
          <th scope="col">Count</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        {LINE_STATUSES.flatMap((status) =>
          totals.filter((one) => one.currency === currency && one.status === status),
        ).map((total) => (
          <ResultRow key={total.status} total={total} largest={largest} />
        ))}
      </tbody>
    </table>
  ));
};

const ResultRow = ({ total, largest }: { readonly total: Total; readonly largest: number }) => {
  const { status, count, amount, currency } = total;
  return (
    <tr>
      <th scope="row">
        <Link to={`?status=${status}`} replace preventScrollReset>
          <Status value={status} tone={LINE_TONES[status]} />
        </Link>
      </th>
      <td className="statement-bar" aria-hidden="true">
        <span data-tone={LINE_TONES[status]} style={{ width: `${(count / largest) * 100}%` }} />
      </td>
      <td data-align="end">{count.toLocaleString('en')}</td>
      <td data-align="end">
        <ExactAmount value={amount} currency={currency} />
      </td>
    </tr>
  );
};
