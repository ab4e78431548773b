// Whether the exported journal of every marketplace has the sums of its books, as bookkeeping tools read it.

import { compareBooks, textOf } from '../../outside-books/compare-books.ts';
import type { Check } from './checks.ts';

export const checkJournal: Check = async ({ environment }) => {
  const found: string[] = [];
  for (const { client, marketplaceId } of environment.places) {
    const { differences } = await compareBooks({
      marketplaceId,
      sql: environment.sql,
      readJournal: async (format) => textOf((await client.exports.journal({ format })).bytes),
      readProof: () => client.audit.proof({ full: true }),
    });
    found.push(...differences.map((difference) => `${marketplaceId}: ${difference}`));
  }
  return found;
};
