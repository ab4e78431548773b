// A long text without blanks, such as an e-mail address or a URL: a line breaks after @, dots, slashes and hyphens, and inside a word only when
// the word alone is wider than its place.

import { Fragment } from 'react';
import { isolateBidi } from '../bidi.ts';

const PARTS = /(?<=[@./_-])(?=[^@./_-])/;
/** A longer part would widen its column, so it is divided anywhere. */
const PART_MAX = 24;

export const Breakable = ({ text }: { readonly text: string }) => {
  const parts = isolateBidi(text).split(PARTS);
  const isTooLong = parts.some((part) => part.length > PART_MAX);
  return (
    <span className={isTooLong ? 'long-name' : 'breakable'}>
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their order
        <Fragment key={at}>
          {at > 0 ? <wbr /> : null}
          {part}
        </Fragment>
      ))}
    </span>
  );
};
