// A count with its noun in the right form: `1 entry`, `2 entries`.

export const counted = (count: number, noun: string): string => {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
};
