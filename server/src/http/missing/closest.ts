// Words that are close to a word: a few letters apart, or its singular or plural. The work is bounded by the length of the words.

const LENGTH_MAX = 60;

/** The number of letters to insert, remove, replace or swap; Infinity beyond `max`. */
export const distance = (a: string, { b, max }: { readonly b: string; readonly max: number }): number => {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > max || Math.max(a.length, b.length) > LENGTH_MAX) return Infinity;
  let twoBefore: number[] = [];
  let before = Array.from({ length: b.length + 1 }, (_, place) => place);
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      line[column] = Math.min(
        line[column - 1]! + 1,
        before[column]! + 1,
        before[column - 1]! + (isSame ? 0 : 1),
        isSwapped ? twoBefore[column - 2]! + 1 : Infinity,
      );
    }
    if (Math.min(...line) > max) return Infinity;
    twoBefore = before;
    before = line;
  }
  return before[b.length]! > max ? Infinity : before[b.length]!;
};

/** How many letters may differ: none in short words, since too many of them are close to each other. */
export const toleranceOf = (word: string): number => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2);

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/s$/, '');

export const isPluralOf = (a: string, b: string): boolean => a !== b && singular(a) === singular(b);

/** The closest words first. */
export const closest = (
  word: string,
  { among, max }: { readonly among: readonly string[]; readonly max: number },
): string[] =>
  [...new Set(among)]
    .map((each) => ({
      each,
      apart: isPluralOf(word, each) ? 0 : distance(word, { b: each, max: toleranceOf(word) + 1 }),
    }))
    .filter(({ apart }) => apart < Infinity)
    .sort((a, b) => a.apart - b.apart)
    .slice(0, max)
    .map(({ each }) => each);
