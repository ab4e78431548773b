// Sends many requests at once and counts their outcomes.

import type { Answer } from '../support/app.ts';

export type Tally = Record<string, number>;

/** Counts each outcome: `200`, or the status with the error code. */
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

/** A random order that is the same in every run. */
export const shuffled = <Item>(items: readonly Item[], random: () => number): Item[] =>
  items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
