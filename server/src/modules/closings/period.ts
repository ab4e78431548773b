// The periods of closings: a calendar month or a day, in UTC.

import { formatInstant } from '../../base/instant.ts';

export type Period = {
  /** Such as 2026-11, or 2026-11-15. */
  readonly name: string;
  readonly from: string;
  readonly to: string;
};

type Day = { readonly year: number; readonly month: number; readonly day: number };

/** A month or a day beyond the end is counted on from there. */
const instant = ({ year, month, day }: Day): string => formatInstant(Date.UTC(year, month - 1, day) * 1_000);

/** Null: there is no such day or month. */
export const periodOf = (name: string): Period | null => {
  const found = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(name);
  if (!found) return null;
  const year = Number(found[1]);
  const month = Number(found[2]);
  const isMonth = found[3] === undefined;
  const day = isMonth ? 1 : Number(found[3]);
  const from = instant({ year, month, day });
  // A day that the month does not have would become a day of the next month.
  if (!from.startsWith(name)) return null;
  return { name, from, to: instant(isMonth ? { year, month: month + 1, day } : { year, month, day: day + 1 }) };
};

export const monthAt = (time: string): Period => periodOf(time.slice(0, 7))!;
