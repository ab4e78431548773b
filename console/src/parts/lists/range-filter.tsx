// The filter by time: a range with a name, or two days. Days are those of the browser's time zone, whose name is shown.

import { useEffect, useState } from 'react';
import { SelectField, TextField } from '../fields.tsx';
import type { Filters } from './filters.tsx';
import { type Bounds, firstMoment, lastMoment, RANGE_OPTIONS, shownDays } from './ranges.ts';
import { zoneName } from './zone.ts';

type Props<Name extends string> = {
  readonly filters: Filters<Name>;
  readonly bounds: Bounds;
  /** What happened at that time: `Created`. */
  readonly label: string;
  /** The name of the choice without a range. */
  readonly all?: string;
};

const CHOSEN = { value: 'chosen', name: 'Chosen days' };

export const RangeFilter = <Name extends string>({ filters, bounds, label, all = 'Any time' }: Props<Name>) => {
  const values: Readonly<Partial<Record<string, string>>> = filters.values;
  const days = shownDays(values, { bounds, now: new Date() });
  const isChosen = !values.range && Boolean(days.from ?? days.to);
  const apply = (next: Readonly<Record<string, string>>): void =>
    filters.apply({ ...filters.values, ...next } as Filters<Name>['values']);
  const setDays = (next: { readonly from?: string | undefined; readonly to?: string | undefined }): void => {
    const { from, to } = { ...days, ...next };
    apply({
      range: '',
      [bounds.after]: (from && firstMoment(from, bounds)) || '',
      [bounds.before]: (to && lastMoment(to)) || '',
    });
  };
  return (
    <>
      <SelectField
        label={`${label} (${zoneName()})`}
        value={isChosen ? CHOSEN.value : (values.range ?? '')}
        options={[{ value: '', name: all }, ...(isChosen ? [CHOSEN] : []), ...RANGE_OPTIONS]}
        onChange={({ target: { value } }) => {
          if (value !== CHOSEN.value) apply({ range: value, [bounds.after]: '', [bounds.before]: '' });
        }}
      />
      <DayField label={`${label} from`} day={days.from} onChange={(from) => setDays({ from })} />
      <DayField label={`${label} to`} day={days.to} onChange={(to) => setDays({ to })} />
    </>
  );
};

type DayProps = {
  readonly label: string;
  readonly day: string | undefined;
  readonly onChange: (day: string | undefined) => void;
};

/** While a year is typed, the browser reports the days of the years 2, 20 and 202. They are not applied. */
const DayField = ({ label, day = '', onChange }: DayProps) => {
  const [typed, setTyped] = useState(day);
  useEffect(() => setTyped(day), [day]);
  return (
    <TextField
      type="date"
      label={label}
      value={typed}
      onChange={({ target: { value } }) => {
        setTyped(value);
        if (value === '' || lastMoment(value) !== null) onChange(value || undefined);
      }}
    />
  );
};
