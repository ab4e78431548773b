// Charts per day: bars or lines, drawn by a library that is loaded with the first chart. Each chart is also a table for
// screen readers. Amounts become numbers here only for their height in pixels.

import '../../styles/charts.css';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { formatAmount, placesOf, type Units } from '../money/amounts.ts';
import { drawChart } from './chart-drawing.ts';

type Series = {
  readonly name: string;
  /** One value per day; null for no value. */
  readonly values: readonly (Units | number | null)[];
};

type Props = {
  readonly label: string;
  /** `2026-11-15`, one per value. */
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly kind: 'bars' | 'lines';
  /** How a value is shown; as an amount by default. */
  readonly show?: (value: Units | number) => string;
};

const plain = (value: Units | number): string =>
  typeof value === 'bigint' ? formatAmount(value, { places: placesOf(value) }) : String(value);

export const DayChart = ({ label, days, series, kind, show = plain }: Props) => {
  const plot = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number | null>(null);
  useEffect(() => {
    if (!plot.current) return;
    return drawChart(plot.current, { days, series, kind, show, onPoint: setAt });
  }, [days, series, kind, show]);
  return (
    <figure className="chart">
      <div ref={plot} className="chart-plot" aria-hidden="true" />
      <Legend series={series} at={at} days={days} show={show} />
      <ChartTable label={label} days={days} series={series} show={show} />
    </figure>
  );
};

type LegendProps = Pick<Props, 'series' | 'days'> & {
  readonly at: number | null;
  readonly show: (value: Units | number) => string;
};

const Legend = ({ series, at, days, show }: LegendProps): ReactNode => (
  <ul className="legend" aria-hidden="true">
    {at === null ? null : <li>{days[at]}</li>}
    {series.map(({ name, values }, place) => {
      const value = at === null ? null : values[at];
      return (
        <li key={name}>
          <span className="swatch" data-series={place + 1} />
          {name}
          {value === null || value === undefined ? null : <strong>{show(value)}</strong>}
        </li>
      );
    })}
  </ul>
);

const ChartTable = ({
  label,
  days,
  series,
  show,
}: Pick<Props, 'label' | 'days' | 'series'> & Required<Pick<Props, 'show'>>) => (
  <div className="hidden-text">
    <table>
      <caption>{label}</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {series.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((day, row) => (
          <tr key={day}>
            <th scope="row">{day}</th>
            {series.map(({ name, values }) => (
              <td key={name}>{values[row] === null || values[row] === undefined ? 'none' : show(values[row])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
