// The random choices of a simulation, as a function of its seed. A part that makes its own choices takes a fork by name, so
// that its choices do not depend on the order in which the parts run.

import { seeded } from '../processes/server-process.ts';

export type Random = {
  /** Both ends included. */
  int(least: number, most: number): number;
  /** True in so many of a hundred cases. */
  is(percent: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** A name, as often as its weight says. */
  weighed<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
  fork(name: string): Random;
};

/** FNV-1a. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (const webhook of text) hash = Math.imul(hash ^ webhook.codePointAt(0)!, 0x01000193);
  return hash >>> 0;
};

export const randomOf = (seed: number, name = 'root'): Random => {
  const next = seeded(hashOf(`${seed} ${name}`));
  const int = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    int,
    is: (percent) => next() * 100 < percent,
    pick: (items) => items[int(0, items.length - 1)]!,
    weighed(weights) {
      const table = Object.entries(weights) as [keyof typeof weights, number][];
      let left = next() * table.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [each, weight] of table) {
        left -= weight;
        if (left < 0) return each;
      }
      return table.at(-1)![0];
    },
    fork: (other) => randomOf(seed, `${name} / ${other}`),
  };
};
