// Chooses a user: one types the marketplace's own id, an e-mail address or a user id, and picks from what is found.
// The keyboard stays in the field; arrows choose, Enter takes.

import '../styles/user-field.css';
import type { User } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useClient } from '../session.tsx';
import { TextField } from './fields.tsx';
import { Status } from './status.tsx';

type Props = {
  readonly label: string;
  /** The user's id; empty while none is chosen. */
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly error?: string | undefined;
};

const TYPING_MS = 200;
const FOUND_MAX = 6;

export const nameOfUser = ({ externalUserId, email }: User): string => [externalUserId, email].filter(Boolean).join(' · ');

export const UserField = ({ label, value, onChange, error }: Props) => {
  const listId = useId();
  const client = useClient();
  const [typed, setTyped] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const isOpen = typed !== null;
  const words = useSettled((typed ?? '').trim());

  const chosen = useQuery({
    queryKey: ['users', value],
    queryFn: () => client.users.get(value),
    enabled: value !== '',
  });
  const query = useQuery({
    queryKey: ['users', 'find', words],
    queryFn: () => client.users.list({ limit: FOUND_MAX, ...(words === '' ? {} : { q: words }) }).page(),
    enabled: isOpen,
  });
  const found = isOpen ? (query.data?.items ?? []) : [];
  const marked = Math.min(at, found.length - 1);

  const take = (user: User): void => {
    setTyped(null);
    onChange(user.id);
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = ({ ArrowDown: 1, ArrowUp: -1 } as Record<string, number>)[event.key];
    const user = found[marked];
    if (event.key === 'Escape' && isOpen) {
      // The window around the field stays open.
      event.stopPropagation();
      setTyped(null);
    } else if (step !== undefined) {
      event.preventDefault();
      if (!isOpen) setTyped('');
      else if (found.length > 0) setAt((marked + step + found.length) % found.length);
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      if (user) take(user);
    }
  };
  const shown = chosen.data ? nameOfUser(chosen.data) : value;

  return (
    <div className="user-field">
      <TextField
        label={label}
        error={error}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `${listId}-${marked}` : undefined}
        placeholder="Your id of the user, an e-mail address, or usr_…"
        value={typed ?? shown}
        onKeyDown={onKey}
        onFocus={(event) => event.target.select()}
        onClick={() => value === '' && setTyped((before) => before ?? '')}
        onBlur={() => setTyped(null)}
        onChange={(event) => {
          if (value !== '') onChange('');
          setTyped(event.target.value);
          setAt(0);
        }}
      />
      <div id={listId} role="listbox" aria-label="Users found" className="user-field-list" hidden={found.length === 0}>
        {found.map((user, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input above owns the keyboard
          <div
            key={user.id}
            id={`${listId}-${place}`}
            className="user-field-option"
            role="option"
            aria-selected={place === marked}
            tabIndex={-1}
            onMouseMove={() => setAt(place)}
            // The field must not lose the focus before the click is done.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(user)}
          >
            <span>{nameOfUser(user)}</span>
            {user.status === 'ACTIVE' ? null : <Status value={user.status} />}
          </div>
        ))}
      </div>
      {isOpen && query.isSuccess && found.length === 0 ? (
        <span className="field-hint" role="status">
          Nobody begins with “{words}”. Make the user first, on the page Users.
        </span>
      ) : null}
    </div>
  );
};

const useSettled = (typed: string): string => {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(typed), TYPING_MS);
    return () => window.clearTimeout(timer);
  }, [typed]);
  return settled;
};
