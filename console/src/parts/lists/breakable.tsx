// A long text without blanks, such as an e-mail address or a URL: a line breaks after @, dots, slashes and hyphens, and inside a word only when
// the word alone is wider than its place.

import { Fragment } from 'react';
import { isolateBidi } from '../bidi.ts';

const PARTS = /(?<=[@./_-])(?=[^@./_-])/;

export const Breakable = ({ text }: { readonly text: string }) => (
  <span className="breakable">
    {isolateBidi(text)
      .split(PARTS)
      .map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their order
        <Fragment key={at}>
          {at > 0 ? <wbr /> : null}
          {part}
        </Fragment>
      ))}
  </span>
);
