// Suggests, for a line that no record of ours has, a record that the file does not name: the same amount at nearly the same time. It is
// only a suggestion: it changes no status.

import { parseInstant } from '../../base/instant.ts';
import { magnitudeOf } from '../../books/money.ts';
import type { Compared } from './compare.ts';
import type { OurRecord } from './records.ts';
import { type FileLine, settledCurrency } from './statement.ts';

const NEAR_MICROS = 3 * 86_400_000_000;

type Candidate = { readonly at: number; readonly record: OurRecord };

/** A candidate and where it is. */
type Nearest = { readonly list: Candidate[]; readonly place: number; readonly distance: number };

type Direction = 'in' | 'out';

const keyOf = (direction: Direction, { amount, currency }: Pick<OurRecord, 'amount'> & { currency: string }): string =>
  `${direction} ${amount} ${settledCurrency(currency)}`;

const directionOf = ({ type }: OurRecord): Direction => (type === 'withdrawal' ? 'out' : 'in');

/** By direction, amount and currency, each list in the order of time: many payments may have the same amount. */
const candidatesOf = (alone: readonly Compared[]): Map<string, Candidate[]> => {
  const found = new Map<string, Candidate[]>();
  for (const { record, status } of alone) {
    if (!record || status === 'PENDING') continue;
    const key = keyOf(directionOf(record), record);
    const candidate = { at: parseInstant(record.at)!, record };
    const known = found.get(key);
    if (known) known.push(candidate);
    else found.set(key, [candidate]);
  }
  for (const list of found.values()) list.sort((a, b) => a.at - b.at);
  return found;
};

/** The first place whose time is not before this one. */
const placeAt = (list: readonly Candidate[], at: number): number => {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]!.at < at) low = middle + 1;
    else high = middle;
  }
  return low;
};

const nearestIn = (list: Candidate[], at: number): Nearest[] => {
  const after = placeAt(list, at);
  return [after - 1, after].flatMap((place) => {
    const candidate = list[place];
    return candidate ? [{ list, place, distance: Math.abs(candidate.at - at) }] : [];
  });
};

/** Each record is suggested once. */
export const suggestRecords = (items: readonly Compared[], alone: readonly Compared[]): Compared[] => {
  const candidates = candidatesOf(alone);
  const take = (line: FileLine): OurRecord | null => {
    const { currency } = line;
    const amount = magnitudeOf(line.amount);
    // What came in is never negative.
    const lists = (line.amount > 0n ? (['in', 'out'] as const) : (['out'] as const)).map(
      (way) => candidates.get(keyOf(way, { amount, currency })) ?? [],
    );
    const near = lists
      .flatMap((list) => nearestIn(list, parseInstant(line.at)!))
      .filter(({ distance }) => distance <= NEAR_MICROS)
      .sort((a, b) => a.distance - b.distance)[0];
    return near?.list.splice(near.place, 1)[0]?.record ?? null;
  };
  return items.map((item) =>
    item.line && !item.record && item.status === 'MISSING_HERE' ? { ...item, suggestion: take(item.line) } : item,
  );
};
