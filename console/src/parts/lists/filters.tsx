// Filters of a list, stored in the URL, so that a filtered list survives links, reloads and the back button.

import { type ReactNode, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from '../button.tsx';
import { SelectField, TextField } from '../fields.tsx';
import { statusWords } from '../status.tsx';

export type Filters<Name extends string> = {
  /** The filters that are set. */
  readonly values: Readonly<Partial<Record<Name, string>>>;
  set(name: Name, value: string): void;
  clear(): void;
  readonly isEmpty: boolean;
};

export const useFilters = <Name extends string>(names: readonly Name[]): Filters<Name> => {
  const [search, setSearch] = useSearchParams();
  const values: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = search.get(name);
    if (value) values[name] = value;
  }
  const change = (edit: (next: URLSearchParams) => void): void =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        edit(next);
        return next;
      },
      { replace: true },
    );
  return {
    values,
    set: (name, value) => change((next) => (value === '' ? next.delete(name) : next.set(name, value))),
    clear: () =>
      change((next) => {
        for (const name of names) next.delete(name);
      }),
    isEmpty: Object.keys(values).length === 0,
  };
};

type BarProps<Name extends string> = { readonly filters: Filters<Name>; readonly children: ReactNode };

export const FilterBar = <Name extends string>({ filters, children }: BarProps<Name>) => (
  <search className="filters">
    {children}
    {filters.isEmpty ? null : (
      <Button tone="plain" icon="close" onClick={filters.clear}>
        Clear
      </Button>
    )}
  </search>
);

type OneProps<Name extends string> = {
  readonly filters: Filters<Name>;
  readonly name: Name;
  readonly label: string;
};

const TYPING_MS = 300;

/** Free text or an ID; applied shortly after the last key press. */
export const TextFilter = <Name extends string>(props: OneProps<Name> & { readonly placeholder?: string }) => {
  const { filters, name, label, placeholder } = props;
  const applied = filters.values[name] ?? '';
  const [typed, setTyped] = useState(applied);
  // The URL also changes otherwise, for example by the back button.
  useEffect(() => setTyped(applied), [applied]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the timer
  useEffect(() => {
    if (typed.trim() === applied) return;
    const timer = window.setTimeout(() => filters.set(name, typed.trim()), TYPING_MS);
    return () => window.clearTimeout(timer);
  }, [typed]);
  return (
    <TextField
      wide
      type="search"
      label={label}
      value={typed}
      placeholder={placeholder}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
};

type ChoiceProps<Name extends string> = OneProps<Name> & {
  readonly options: readonly (string | { readonly value: string; readonly name: string })[];
  readonly all?: string;
};

export const ChoiceFilter = <Name extends string>(props: ChoiceProps<Name>) => {
  const { filters, name, label, options, all = 'All' } = props;
  const named = options.map((one) => (typeof one === 'string' ? { value: one, name: statusWords(one) } : one));
  return (
    <SelectField
      label={label}
      value={filters.values[name] ?? ''}
      options={[{ value: '', name: all }, ...named]}
      onChange={(event) => filters.set(name, event.target.value)}
    />
  );
};

/** A date. The value of the filter is the start of the day, or its end with `end`. */
export const DayFilter = <Name extends string>(props: OneProps<Name> & { readonly end?: boolean }) => {
  const { filters, name, label, end = false } = props;
  const instant = (day: string): string => `${day}T${end ? '23:59:59.999' : '00:00:00.000'}Z`;
  return (
    <TextField
      type="date"
      label={label}
      value={filters.values[name]?.slice(0, 10) ?? ''}
      onChange={(event) => filters.set(name, event.target.value && instant(event.target.value))}
    />
  );
};
