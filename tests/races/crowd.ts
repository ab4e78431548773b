// Many requests at once, and how they ended.

import type { Answer } from '../support/app.ts';

export type Tally = Record<string, number>;

/** How often each outcome came: `200`, or the status with the error's code. */
export const tally = (answers: readonly Answer[]): Tally => {
  const counts: Tally = {};
  for (const { status, body } of answers) {
    const name = status < 300 ? String(status) : `${status} ${body.error.code}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
};

export const clients = (count: number, ask: (n: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => ask(n)));

/** In an order that is the same in every run and has no pattern. */
export const shuffled = <Item>(items: readonly Item[], random: () => number): Item[] =>
  items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
