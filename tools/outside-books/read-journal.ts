// Reads an exported journal of JSON lines, and adds its postings up by account.

import { exactUnits } from '../decimals.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
type Any = any;

export const readJournal = (text: string) => {
  const rows: Any[] = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  const end = rows.pop();
  const sums = new Map<string, bigint>();
  const add = (account: string, units: bigint): void => {
    sums.set(account, (sums.get(account) ?? 0n) + units);
  };
  for (const { from, to, amount, currency } of rows) {
    add(`${from} ${currency}`, -exactUnits(amount));
    add(`${to} ${currency}`, exactUnits(amount));
  }
  return { lines: rows, end, sums };
};
