// Suggests, for a line that no record of ours has, a record that the file does not name: the same amount at nearly the same time. It is
// only a suggestion: it changes no status.

import { parseInstant } from '../../base/instant.ts';
import { magnitudeOf } from '../../books/money.ts';
import type { Compared } from './compare.ts';
import type { OurRecord } from './records.ts';
import type { FileLine } from './statement.ts';

const NEAR_MICROS = 3 * 86_400_000_000;

const distance = (line: FileLine, record: OurRecord): number =>
  Math.abs(parseInstant(line.at)! - parseInstant(record.at)!);

const fits = (line: FileLine, record: OurRecord): boolean =>
  (record.type === 'withdrawal' || line.amount > 0n) && distance(line, record) <= NEAR_MICROS;

/** Each record is suggested once. */
export const suggestRecords = (items: readonly Compared[], alone: readonly Compared[]): Compared[] => {
  const byAmount = new Map<string, OurRecord[]>();
  for (const { record, status } of alone) {
    if (!record || status === 'PENDING') continue;
    const key = String(record.amount);
    byAmount.set(key, [...(byAmount.get(key) ?? []), record]);
  }
  return items.map((item) => {
    const { line, record, status } = item;
    if (!line || record || status !== 'MISSING_HERE') return item;
    const key = String(magnitudeOf(line.amount));
    const near = (byAmount.get(key) ?? []).filter((one) => fits(line, one));
    const suggestion = near.sort((a, b) => distance(line, a) - distance(line, b))[0];
    if (!suggestion) return item;
    byAmount.set(
      key,
      byAmount.get(key)!.filter((one) => one !== suggestion),
    );
    return { ...item, suggestion };
  });
};
