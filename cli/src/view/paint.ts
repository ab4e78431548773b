// Colours for people: only on a terminal, and never when NO_COLOR is set. Also how wide a text is on the screen.

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

export const widthOf = (text: string): number => [...stripVTControlCharacters(text)].length;

/** What somebody else wrote must not move the cursor or colour the screen. */
export const harmless = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  stripVTControlCharacters(text).replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
