// Keyboard search: an ID opens its page, a text finds pages, orders and users. Arrow keys choose, Enter opens.

import { Dialog } from '@base-ui/react/dialog';
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { type Found, useFound } from './search-sources.ts';

type Props = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** What was typed before the search had the focus. */
  readonly takeTyped: () => string;
};

export const Search = ({ isOpen, onClose, takeTyped }: Props) => {
  const hasGone = useRef(false);
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-shade" />
        {/* After a choice the focus is on the heading of the page, otherwise on the button again. */}
        <Dialog.Popup className="search" aria-label="Search" finalFocus={() => (hasGone.current ? heading() : true)}>
          <SearchBody onClose={onClose} takeTyped={takeTyped} hasGone={hasGone} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
};

const heading = (): HTMLElement | null => document.querySelector<HTMLElement>('#main h1');

type BodyProps = Omit<Props, 'isOpen'> & { readonly hasGone: RefObject<boolean> };

/** The dialog sets the focus after it is drawn. Keys that were typed until then went to the page. */
const useText = (takeTyped: () => string) => {
  const [text, setText] = useState('');
  const onFocus = (): void => {
    const typed = takeTyped();
    if (typed !== '') setText((before) => before + typed);
  };
  return { text, setText, onFocus };
};

// Newer browsers return a promise from `scrollIntoView`, which must not become the clean-up of an effect.
const showChosen = (list: HTMLElement | null): void => {
  list?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
};

const SearchBody = ({ onClose, takeTyped, hasGone }: BodyProps) => {
  const listId = useId();
  const navigate = useNavigate();
  const list = useRef<HTMLDivElement>(null);
  const { text, setText, onFocus } = useText(takeTyped);
  const [at, setAt] = useState(0);
  const { found, isSearching } = useFound(text);
  const chosen = Math.min(at, found.length - 1);

  useEffect(() => {
    hasGone.current = false;
  }, [hasGone]);

  useEffect(() => showChosen(list.current));

  const go = ({ to }: Found): void => {
    hasGone.current = true;
    onClose();
    void navigate(to);
  };

  const onKey = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setAt((chosen + step + found.length) % found.length);
    }
    const target = found[chosen];
    if (event.key === 'Enter' && target) {
      event.preventDefault();
      go(target);
    }
  };

  return (
    <>
      <input
        className="search-input"
        role="combobox"
        aria-label="Search or enter an ID"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={found.length > 0 ? `${listId}-${chosen}` : undefined}
        placeholder="ID, page, order or user"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onFocus={onFocus}
        onKeyDown={onKey}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
      />
      <div id={listId} ref={list} className="search-list" role="listbox" aria-label="Results">
        {found.map((one, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input above owns the keyboard
          <div
            key={one.to}
            id={`${listId}-${place}`}
            className="search-option"
            role="option"
            aria-selected={place === chosen}
            tabIndex={-1}
            onMouseMove={() => setAt(place)}
            onClick={() => go(one)}
          >
            <span>{one.name}</span>
            <span>{one.kind}</span>
          </div>
        ))}
      </div>
      <div className="search-foot" role="status">
        <SearchFoot isSearching={isSearching} count={found.length} />
      </div>
    </>
  );
};

const SearchFoot = ({ isSearching, count }: { readonly isSearching: boolean; readonly count: number }) => {
  if (isSearching) return 'Searching…';
  if (count === 0) return 'No results. IDs start with ord_, usr_, dsp_, top_, wdr_, whe_, pol_, apr_ or opr_.';
  return (
    <>
      <span>
        <kbd>↑</kbd> <kbd>↓</kbd> choose
      </span>
      <span>
        <kbd>Enter</kbd> open
      </span>
      <span>
        <kbd>Esc</kbd> close
      </span>
    </>
  );
};
