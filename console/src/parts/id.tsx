// An ID, shortened for reading and complete when copied.

import { Link } from 'react-router';
import { pathOfId } from '../page-list.ts';
import { CopyMark } from './copy-button.tsx';

type Props = {
  readonly value: string | null | undefined;
  /** False: as text, even where the record has a page. */
  readonly link?: boolean;
  readonly whole?: boolean;
  readonly copy?: boolean;
};

const SHOWN_END = 6;
const SHOWN_WHOLE_MAX = 18;

export const shortId = (id: string): string => {
  if (id.length <= SHOWN_WHOLE_MAX) return id;
  const lead = /^[a-z]+_/.exec(id)?.[0] ?? id.slice(0, 4);
  return `${lead}…${id.slice(-SHOWN_END)}`;
};

export const Id = ({ value, link = true, whole = false, copy = true }: Props) => {
  if (!value) return <span className="soft">–</span>;
  const path = link ? pathOfId(value) : null;
  const shown = whole ? value : shortId(value);
  return (
    <span className="id" title={value}>
      {path ? <Link to={path}>{shown}</Link> : <span>{shown}</span>}
      {copy ? <CopyMark text={value} /> : null}
    </span>
  );
};
