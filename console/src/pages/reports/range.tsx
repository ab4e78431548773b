// The range of days of a report, in the URL.

import { TextField } from '../../parts/fields.tsx';
import { type Filters, useFilters } from '../../parts/lists/filters.tsx';

const DAY_MS = 86_400_000;
const USUAL_DAYS = 30;

const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The last day is part of the range, as people expect; the API takes the day after it. */
export const useDays = () => {
  const filters = useFilters(['first', 'last', 'interval']);
  const last = filters.values.last ?? dayAt(Date.now());
  const first = filters.values.first ?? dayAt(Date.parse(last) - (USUAL_DAYS - 1) * DAY_MS);
  return { filters, first, last, range: { from: first, to: dayAt(Date.parse(last) + DAY_MS) } };
};

type Props = {
  readonly filters: Filters<'first' | 'last' | 'interval'>;
  readonly first: string;
  readonly last: string;
};

export const DayFields = ({ filters, first, last }: Props) => (
  <>
    <TextField
      label="First day"
      type="date"
      value={first}
      max={last}
      onChange={(event) => filters.set('first', event.target.value)}
    />
    <TextField
      label="Last day"
      type="date"
      value={last}
      max={dayAt(Date.now())}
      onChange={(event) => filters.set('last', event.target.value)}
    />
  </>
);
