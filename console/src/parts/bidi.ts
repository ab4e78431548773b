// Text of users inside our own text: right-to-left text must not change the direction of the words and numbers after
// it.

/** Right-to-left scripts, and the control characters that change the direction. */
const TURNING =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Bidi_Control}]/u;
const SIGNS = /\p{Bidi_Control}/gu;
const FIRST_STRONG = '\u2068';
const END = '\u2069';

/** For plain strings. Text without such characters is returned unchanged, so that a search of the page finds it. */
export const isolateBidi = (text: string): string =>
  TURNING.test(text) ? `${FIRST_STRONG}${text.replace(SIGNS, '')}${END}` : text;
