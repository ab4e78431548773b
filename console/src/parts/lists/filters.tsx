// Filters of a list, stored in the URL, so that a filtered list survives links, reloads and the back button.

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from '../button.tsx';
import { SelectField, TextField } from '../fields.tsx';
import { statusWords } from '../status.tsx';
import { SavedFilterBar } from './saved-filter-bar.tsx';

export type Filters<Name extends string> = {
  /** The filters that are set. */
  readonly values: Readonly<Partial<Record<Name, string>>>;
  set(name: Name, value: string): void;
  /** Sets all filters at once; those without a value are cleared. */
  apply(values: Readonly<Partial<Record<Name, string>>>): void;
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
    apply: (wanted) =>
      change((next) => {
        for (const name of names) {
          if (wanted[name]) next.set(name, wanted[name]);
          else next.delete(name);
        }
      }),
    clear: () =>
      change((next) => {
        for (const name of names) next.delete(name);
      }),
    isEmpty: Object.keys(values).length === 0,
  };
};

type BarProps<Name extends string> = {
  readonly filters: Filters<Name>;
  /** The name of the list in the storage of saved filters; absent where filters are not saved. */
  readonly list?: string;
  readonly children: ReactNode;
};

/** On a narrow screen the filters are folded away behind a button. */
export const FilterBar = <Name extends string>({ filters, list, children }: BarProps<Name>) => {
  const [isOpen, setOpen] = useState(false);
  const count = Object.keys(filters.values).length;
  return (
    <search className="filters" data-open={isOpen || undefined}>
      <div className="filters-toggle">
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {count === 0 ? 'Filters' : `Filters, ${count} set`}
        </Button>
      </div>
      {children}
      {list ? <SavedFilterBar filters={filters} list={list} /> : null}
      {filters.isEmpty ? null : (
        <Button tone="plain" icon="close" onClick={filters.clear}>
          Clear
        </Button>
      )}
    </search>
  );
};

type OneProps<Name extends string> = {
  readonly filters: Filters<Name>;
  readonly name: Name;
  readonly label: string;
};

const TYPING_MS = 300;

/** Free text or an ID; applied shortly after the last key press, or at once when the field loses the focus, as before a click on a link. */
export const TextFilter = <Name extends string>(props: OneProps<Name> & { readonly placeholder?: string }) => {
  const { filters, name, label, placeholder } = props;
  const applied = filters.values[name] ?? '';
  const [typed, setTyped] = useState(applied);
  const isWaiting = useRef(false);
  const apply = (): void => {
    isWaiting.current = false;
    filters.set(name, typed.trim());
  };
  // The URL also changes otherwise, for example by the back button.
  useEffect(() => setTyped(applied), [applied]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the timer
  useEffect(() => {
    if (typed.trim() === applied) return;
    // The field may have lost the focus to a link. Another change of the URL would stop the navigation of that link.
    const timer = window.setTimeout(() => {
      if (isWaiting.current) apply();
    }, TYPING_MS);
    return () => window.clearTimeout(timer);
  }, [typed]);
  return (
    <TextField
      wide
      type="search"
      label={label}
      value={typed}
      placeholder={placeholder}
      onChange={(event) => {
        isWaiting.current = true;
        setTyped(event.target.value);
      }}
      onBlur={() => {
        if (isWaiting.current && typed.trim() !== applied) apply();
      }}
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
