// Ranges of local days, and the moments in UTC that a route takes for them. A range with a name, such as `today`, is kept by its name, so
// that a saved filter means another day tomorrow.

import { localDay, startOfDay } from './zone.ts';

/** The first and the last day of a range, both included. */
type Days = { readonly from?: string; readonly to?: string };

/** How a route calls the two moments, and whether it includes the first. None includes the second. */
export type Bounds = { readonly after: string; readonly before: string; readonly includesFirst: boolean };

export const CREATED = { after: 'createdAfter', before: 'createdBefore', includesFirst: false } as const;
export const HAPPENED = { after: 'from', before: 'to', includesFirst: true } as const;

/** The parameters of the URL, and of a saved filter. */
export const CREATED_NAMES = ['range', 'createdAfter', 'createdBefore'] as const;
export const HAPPENED_NAMES = ['range', 'from', 'to'] as const;

export const RANGE_OPTIONS = [
  { value: 'today', name: 'Today' },
  { value: 'yesterday', name: 'Yesterday' },
  { value: 'last-7-days', name: 'Last 7 days' },
  { value: 'last-30-days', name: 'Last 30 days' },
  { value: 'this-month', name: 'This month' },
  { value: 'last-month', name: 'Last month' },
] as const;

const dayAfter = (day: string, later: number): string => localDay(startOfDay(day, { later }) ?? new Date());

/** The days of a range with a name; null for an unknown name. */
export const daysOf = (range: string | undefined, now: Date): Days | null => {
  const today = localDay(now);
  const first = `${today.slice(0, 8)}01`;
  switch (range) {
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: dayAfter(today, -1), to: dayAfter(today, -1) };
    case 'last-7-days':
      return { from: dayAfter(today, -6), to: today };
    case 'last-30-days':
      return { from: dayAfter(today, -29), to: today };
    case 'this-month':
      return { from: first, to: today };
    case 'last-month': {
      const last = dayAfter(first, -1);
      return { from: `${last.slice(0, 8)}01`, to: last };
    }
    default:
      return null;
  }
};

/** A microsecond before the millisecond, which is what the server stores. */
const justBefore = (at: Date): string => `${new Date(at.getTime() - 1).toISOString().slice(0, -1)}999Z`;

/** The moment from which a route lists the day, or null while the day is being typed. */
export const firstMoment = (day: string, { includesFirst }: Bounds): string | null => {
  const start = startOfDay(day);
  if (start === null || start.getTime() < 0) return null;
  return includesFirst ? start.toISOString() : justBefore(start);
};

/** The moment before which a route lists the day. */
export const lastMoment = (day: string): string | null => {
  const end = startOfDay(day, { later: 1 });
  return end === null || end.getTime() < 0 ? null : end.toISOString();
};

type Moment = string | undefined;

const dayOf = (moment: Moment, shiftMs: number): string | undefined => {
  const at = Date.parse(moment ?? '');
  return Number.isNaN(at) ? undefined : localDay(new Date(at + shiftMs));
};

type Values = Readonly<Partial<Record<string, string>>>;

/** The days that the filters show: those of the named range, or of the two moments. */
export const shownDays = (values: Values, { bounds, now }: { bounds: Bounds; now: Date }): Days => {
  const named = daysOf(values.range, now);
  if (named) return named;
  const from = dayOf(values[bounds.after], bounds.includesFirst ? 0 : 1);
  const to = dayOf(values[bounds.before], -1);
  return { ...(from ? { from } : {}), ...(to ? { to } : {}) };
};

/** The filters as a route takes them: the name of a range becomes its two moments. */
export const withMoments = <Name extends string>(
  { range, ...values }: Readonly<Partial<Record<Name | 'range', string>>>,
  bounds: Bounds,
): Partial<Record<Exclude<Name, 'range'>, string>> => {
  const days = daysOf(range, new Date());
  const asked = values as Partial<Record<Exclude<Name, 'range'>, string>>;
  if (!days) return asked;
  return {
    ...asked,
    [bounds.after]: firstMoment(days.from!, bounds),
    [bounds.before]: lastMoment(days.to!),
  };
};
