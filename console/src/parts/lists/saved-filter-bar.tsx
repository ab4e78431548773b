// The saved filters of a list: a choice beside its filters, and a dialog that saves, deletes and makes one the default.

import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useSession } from '../../session.tsx';
import { isolateBidi } from '../bidi.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { SelectField, TextField } from '../fields.tsx';
import type { Filters } from './filters.tsx';
import {
  NAME_MAX,
  nameProblem,
  readSaved,
  type SavedFilter,
  searchOf,
  withDefault,
  withSaved,
  writeSaved,
} from './saved-filters.ts';

type Props<Name extends string> = { readonly filters: Filters<Name>; readonly list: string };

export const SavedFilterBar = <Name extends string>({ filters, list }: Props<Name>) => {
  const { saved, save } = useSaved(list);
  const [isOpen, setOpen] = useState(false);
  const apply = ({ search }: Pick<SavedFilter, 'search'>): void =>
    filters.apply(Object.fromEntries(new URLSearchParams(search)) as Filters<Name>['values']);
  useDefault(saved, apply);
  const current = searchOf(filters.values);
  return (
    <>
      {saved.length > 0 ? (
        <SelectField
          label="Saved filter"
          value={saved.find(({ search }) => search === current && search !== '')?.name ?? ''}
          options={[
            { value: '', name: 'None' },
            ...saved.map(({ name }) => ({ value: name, name: isolateBidi(name) })),
          ]}
          onChange={({ target: { value } }) => apply(saved.find(({ name }) => name === value) ?? { search: '' })}
        />
      ) : null}
      <Button tone="plain" onClick={() => setOpen(true)}>
        {saved.length === 0 ? 'Save filter…' : 'Saved filters…'}
      </Button>
      {isOpen ? (
        <SavedDialog current={current} saved={saved} save={save} apply={apply} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
};

const useSaved = (list: string) => {
  const { marketplaceId } = useSession().me;
  const [saved, setSaved] = useState(() => readSaved({ marketplaceId, list }));
  const save = (next: readonly SavedFilter[]): boolean => {
    const isStored = writeSaved({ marketplaceId, list }, next);
    if (isStored) setSaved(next);
    return isStored;
  };
  return { saved, save };
};

/** The default is applied once, when the page is opened without anything in its URL: a link wins over it. */
const useDefault = (saved: readonly SavedFilter[], apply: (filter: SavedFilter) => void): void => {
  const { search } = useLocation();
  const isFirst = useRef(true);
  useEffect(() => {
    const chosen = isFirst.current && search === '' ? saved.find(({ isDefault }) => isDefault) : undefined;
    isFirst.current = false;
    if (chosen) apply(chosen);
  });
};

type DialogProps = {
  readonly current: string;
  readonly saved: readonly SavedFilter[];
  readonly save: (next: readonly SavedFilter[]) => boolean;
  readonly apply: (filter: SavedFilter) => void;
  readonly onClose: () => void;
};

const BLOCKED = 'The browser does not allow this page to store anything.';

const SavedDialog = ({ current, saved, save, apply, onClose }: DialogProps) => {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (): void => {
    const typed = name.trim();
    const refusal =
      nameProblem(typed, saved) ?? (save(withSaved(saved, { name: typed, search: current })) ? null : BLOCKED);
    setProblem(refusal);
    if (refusal === null) setName('');
  };
  return (
    <Dialog isOpen onClose={onClose} title="Saved filters">
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <SavedList
          saved={saved}
          onApply={(one) => {
            apply(one);
            onClose();
          }}
          onSave={(next) => setProblem(save(next) ? null : BLOCKED)}
        />
        {current === '' ? (
          <p className="soft">Set a filter of the list to save it. Saved filters stay in this browser.</p>
        ) : (
          <TextField
            label="Name of the current filter"
            value={name}
            maxLength={NAME_MAX}
            error={problem ?? undefined}
            hint="The same name again replaces the filter. Saved filters stay in this browser."
            onChange={(event) => setName(event.target.value)}
          />
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" tone="accent" reason={current === '' ? 'No filter of the list is set.' : null}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

type ListProps = {
  readonly saved: readonly SavedFilter[];
  readonly onApply: (one: SavedFilter) => void;
  readonly onSave: (next: readonly SavedFilter[]) => void;
};

const SavedList = ({ saved, onApply, onSave }: ListProps) =>
  saved.length === 0 ? null : (
    <ul className="saved-filters" aria-label="Saved filters">
      {saved.map((one) => (
        <li key={one.name}>
          <Button tone="plain" onClick={() => onApply(one)} aria-label={`Apply ${one.name}`}>
            {isolateBidi(one.name)}
          </Button>
          <span className="row">
            <Button
              aria-pressed={one.isDefault}
              aria-label={`Default: ${one.name}`}
              onClick={() => onSave(withDefault(saved, one.name))}
            >
              {one.isDefault ? 'Default' : 'Make default'}
            </Button>
            <Button
              aria-label={`Delete ${one.name}`}
              onClick={() => onSave(saved.filter(({ name }) => name !== one.name))}
            >
              Delete
            </Button>
          </span>
        </li>
      ))}
    </ul>
  );
