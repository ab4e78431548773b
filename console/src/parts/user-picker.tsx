// Chooses a user by name, external ID, e-mail address or user ID.

import '../styles/user-picker.css';
import { Combobox } from '@base-ui/react/combobox';
import type { User } from '@holdfast/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useMemo, useState } from 'react';
import { useClient } from '../session.tsx';
import { isolateBidi } from './bidi.ts';
import { shortId } from './id.tsx';
import { userName, useUserName } from './names.tsx';

type Props = {
  readonly label: string;
  /** The user ID; empty for no user. */
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly error?: string | undefined;
  readonly placeholder?: string;
};

type Choice = Pick<User, 'id' | 'externalUserId' | 'email' | 'name'>;

const TYPING_MS = 200;
const SHOWN_MAX = 8;
const FRESH_MS = 5_000;
const NO_USERS: readonly Choice[] = [];

export const UserPicker = ({ label, value, onChange, error, placeholder = 'Name, ID or e-mail' }: Props) => {
  const id = useId();
  const queries = useQueryClient();
  const name = useUserName(value || undefined);
  const [typed, setTyped] = useState('');
  const found = useFoundUsers(typed);
  // A new object counts as a new choice and would overwrite the typed text.
  const chosen = useMemo<Choice | null>(
    () => (value ? { id: value, externalUserId: name, email: null, name: null } : null),
    [value, name],
  );
  return (
    <div className="field picker">
      <label htmlFor={id}>{label}</label>
      <Combobox.Root<Choice>
        items={found.users}
        filter={null}
        value={chosen}
        isItemEqualToValue={(one, other) => one.id === other.id}
        itemToStringLabel={userName}
        onInputValueChange={setTyped}
        onValueChange={(one) => {
          // The name is known: the field must not show the ID while it loads.
          if (one) queries.setQueryData(['names', one.id], userName(one));
          onChange(one?.id ?? '');
        }}
      >
        <Combobox.Input
          id={id}
          className="input"
          placeholder={placeholder}
          spellCheck={false}
          onKeyDown={(event) => {
            // While the search runs, Enter must not choose anything, and the text stays.
            if (event.key !== 'Enter' || !found.isSearching) return;
            event.preventDefault();
            event.preventBaseUIHandler();
          }}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
        />
        <Combobox.Portal>
          <Combobox.Positioner className="picker-place" sideOffset={4}>
            <Combobox.Popup className="picker-list" aria-label={label}>
              <Combobox.Empty className="picker-empty">
                {found.isSearching ? 'Searching …' : 'No matching users.'}
              </Combobox.Empty>
              <Combobox.List>
                {(one: Choice) => (
                  <Combobox.Item key={one.id} value={one} className="picker-option">
                    <span>{isolateBidi(userName(one))}</span>
                    <span className="soft">
                      {isolateBidi(one.email ?? (one.name ? one.externalUserId : shortId(one.id)))}
                    </span>
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
      {error ? (
        <span id={`${id}-error`} className="field-error" role="alert">
          {error}
        </span>
      ) : null}
    </div>
  );
};

/** Users that match the typed text, once typing has paused; the newest users for an empty text. */
const useFoundUsers = (typed: string): { users: readonly Choice[]; isSearching: boolean } => {
  const client = useClient();
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(typed), TYPING_MS);
    return () => window.clearTimeout(timer);
  }, [typed]);
  const q = settled.trim();
  const query = useQuery({
    // Not under 'users': every event would refetch the list of a closed picker.
    queryKey: ['picker', q],
    staleTime: FRESH_MS,
    queryFn: () => client.users.list({ limit: SHOWN_MAX, ...(q ? { q } : {}) }).page(),
  });
  // An early Enter must not choose a result of an earlier text.
  const isSettled = typed === settled;
  return { users: (isSettled && query.data?.items) || NO_USERS, isSearching: !isSettled || query.isPending };
};
