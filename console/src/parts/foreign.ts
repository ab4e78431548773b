// Text that somebody else wrote, among ours: whichever way it is written, it must not turn the words and figures after it.

/** What is written from the right, and the signs that only turn the direction of what follows. */
const TURNING =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Bidi_Control}]/u;
const SIGNS = /\p{Bidi_Control}/gu;
const FIRST_STRONG = '\u2068';
const END = '\u2069';

/** For plain strings: most text needs nothing, and is then left alone, so that a search of the page finds it. */
export const isolated = (text: string): string =>
  TURNING.test(text) ? `${FIRST_STRONG}${text.replace(SIGNS, '')}${END}` : text;
