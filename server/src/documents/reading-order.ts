// The order in which a line is drawn from left to right, where a part of it is read from right to left.

import bidiModule, { type Bidi } from 'bidi-js';

// The declaration of the package describes another module format than the one that Node loads.
const bidi = (bidiModule as unknown as () => Bidi)();

type Run = { readonly text: string; readonly level: number };

const runsOf = (line: string): Run[] => {
  const { levels } = bidi.getEmbeddingLevels(line, 'ltr');
  const runs: { text: string; level: number }[] = [];
  for (let at = 0; at < line.length; at++) {
    const level = levels[at]!;
    const last = runs.at(-1);
    if (last && last.level === level) last.text += line[at];
    else runs.push({ text: line[at]!, level });
  }
  return runs;
};

/** As UAX 9 says: from the highest level down to the lowest odd one, every stretch at or above it is reversed. */
const inVisualOrder = (runs: readonly Run[]): Run[] => {
  const ordered = [...runs];
  const highest = Math.max(0, ...ordered.map(({ level }) => level));
  for (let level = highest; level > 0; level--) {
    for (let from = 0; from < ordered.length; from++) {
      let to = from;
      while (to < ordered.length && ordered[to]!.level >= level) to++;
      if (to > from) ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = to;
    }
  }
  return ordered;
};

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The pieces of a line from left to right. The font draws the letters of one piece in their own direction. */
export const visualPieces = (line: string): string[] => {
  if (!RIGHT_TO_LEFT.test(line)) return [line];
  return inVisualOrder(runsOf(line)).flatMap(({ text, level }) =>
    level % 2 === 0
      ? [text]
      : text
          .split(/(\s+)/)
          .filter((word) => word !== '')
          .reverse(),
  );
};
