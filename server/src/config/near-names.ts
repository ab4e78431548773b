// Finds environment variables that are probably a misspelt setting. It must not report variables of other programs, so it reports one
// only when the names are nearly equal and the real setting is absent.

const SHORT = 5;

export function findNearNames(env: Readonly<Record<string, string | undefined>>, names: readonly string[]): string[] {
  return Object.keys(env).flatMap((given) => {
    if (!env[given] || names.includes(given) || !/^[A-Z][A-Z0-9_]*$/.test(given)) return [];
    const meant = names.find((name) => !env[name] && isNear(given, name));
    return meant ? [`${given} is set but is not a setting: did you mean ${meant}?`] : [];
  });
}

// HOST and PORT differ by one letter from many real words (HOSTS, PORTS, POST). So a short name must have the same letters in
// another order.
function isNear(given: string, name: string): boolean {
  if (given[0] !== name[0]) return false;
  if (name.length <= SHORT) return [...given].sort().join('') === [...name].sort().join('');
  return distance(given, name) <= (name.length < 12 ? 1 : 2);
}

// Number of edits between two words; two adjacent letters swapped count as one.
function distance(a: string, b: string): number {
  const rows = [...Array(a.length + 1).keys()].map((i) => [i, ...Array<number>(b.length).fill(0)]);
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (let j = 1; j <= b.length; j++) rows[0]![j] = j;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed);
      rows[i]![j] = swapped ? Math.min(best, at(i - 2, j - 2) + 1) : best;
    }
  }
  return at(a.length, b.length);
}
