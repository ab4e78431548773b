// An id, short enough to read and whole when copied.

import { useState } from 'react';
import { Link } from 'react-router';
import { pathOfId } from '../pages.ts';
import { announce } from '../shell/announcer.ts';
import { Icon } from './icon.tsx';

type Props = {
  readonly value: string | null | undefined;
  /** False: as text even where there is a page for it. */
  readonly link?: boolean;
  readonly whole?: boolean;
  readonly copy?: boolean;
};

const SHOWN_END = 6;
const SHOWN_WHOLE_MAX = 18;
const COPIED_MS = 1_500;

export const shortId = (id: string): string => {
  if (id.length <= SHOWN_WHOLE_MAX) return id;
  const lead = /^[a-z]+_/.exec(id)?.[0] ?? id.slice(0, 4);
  return `${lead}…${id.slice(-SHOWN_END)}`;
};

export const Id = ({ value, link = true, whole = false, copy = true }: Props) => {
  const [isCopied, setCopied] = useState(false);
  if (!value) return <span className="soft">–</span>;
  const path = link ? pathOfId(value) : null;
  const shown = whole ? value : shortId(value);
  const copyIt = async (): Promise<void> => {
    await navigator.clipboard.writeText(value);
    announce(`Copied ${value}`);
    setCopied(true);
    window.setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <span className="id" title={value}>
      {path ? <Link to={path}>{shown}</Link> : <span>{shown}</span>}
      {copy ? (
        <button
          type="button"
          className="id-copy"
          aria-label={`Copy ${value}`}
          onClick={(event) => {
            event.stopPropagation();
            void copyIt();
          }}
        >
          <Icon name={isCopied ? 'done' : 'copy'} />
        </button>
      ) : null}
    </span>
  );
};
