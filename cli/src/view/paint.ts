// Colours: only on a terminal, and never when NO_COLOR is set. Also measures how wide a text is on the screen.

import { stripVTControlCharacters } from 'node:util';

export type Paint = Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'cyan', (text: string) => string>;

const CODES: Record<keyof Paint, number> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, cyan: 36 };

export const wantsColour = (stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean =>
  stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';

export const paintFor = (coloured: boolean): Paint =>
  Object.fromEntries(
    Object.entries(CODES).map(([name, code]) => [
      name,
      (text: string) => (coloured && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text),
    ]),
  ) as Paint;

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Letters that take two cells in a terminal: East Asian letters and emoji. */
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

const cellsOf = (grapheme: string): number => {
  if (WIDE.test(grapheme)) return 2;
  return /^[\p{Mark}\u200b-\u200d\ufeff]*$/u.test(grapheme) ? 0 : 1;
};

/** Letters as the reader sees them, each with its combining marks. */
const lettersOf = (text: string): string[] => Array.from(GRAPHEMES.segment(text), ({ segment }) => segment);

export const widthOf = (text: string): number =>
  lettersOf(stripVTControlCharacters(text)).reduce((sum, letter) => sum + cellsOf(letter), 0);

/** Cuts the text to the width and marks the cut. */
export const cut = (text: string, width: number): string => {
  if (widthOf(text) <= width) return text;
  let kept = '';
  for (const letter of lettersOf(text)) {
    if (widthOf(kept + letter) > width - 1) break;
    kept += letter;
  }
  return width < 1 ? '' : `${kept}…`;
};

/** Cuts the middle of an id, because people compare its two ends. */
export const cutMiddle = (text: string, width: number): string => {
  if (text.length <= width) return text;
  const end = Math.floor((width - 1) / 2);
  return `${text.slice(0, width - 1 - end)}…${text.slice(text.length - end)}`;
};

/** Removes control characters: foreign text must not move the cursor, colour the screen or reverse the direction of the text. */
export const harmless = (text: string): string =>
  stripVTControlCharacters(text)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
