// Amounts or counts as a table with a bar in each row. The longest bar is the largest value.

import type { ReactNode } from 'react';
import { compare, negate, shareOf, type Units, ZERO } from '../../parts/money/amounts.ts';

type Row = { readonly name: string; readonly value: Units; readonly shown: ReactNode; readonly series?: number };

type Props = { readonly caption: string; readonly rows: readonly Row[] };

const size = (value: Units): Units => (value < 0n ? negate(value) : value);

export const Bars = ({ caption, rows }: Props) => {
  const largest =
    rows
      .map(({ value }) => size(value))
      .sort(compare)
      .at(-1) ?? ZERO;
  return (
    <table className="report-bars">
      <caption>{caption}</caption>
      <tbody>
        {rows.map(({ name, value, shown, series = 1 }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="report-bar" aria-hidden="true">
              {value === ZERO ? null : (
                <span data-series={series} style={{ width: `${shareOf(size(value), largest) / 10}%` }} />
              )}
            </td>
            <td>{shown}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
