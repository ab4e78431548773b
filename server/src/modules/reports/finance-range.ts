// The range of days of a report, and its intervals. Days, weeks and months are in UTC.

import { type FeeInterval, REPORT_DAYS } from '@holdfast/contract/api/finance-reports.ts';
import { formatInstant, momentOf } from '../../base/instant.ts';
import { validationError } from '../../http/validation/messages.ts';

export type DayRange = { readonly from: string; readonly to: string };

type Asked = { readonly from?: string; readonly to?: string };

const DAY_MICROS = 86_400_000_000;

/** The beginning of the day after this one. */
const nextDay = (micros: number): number => (Math.floor(micros / DAY_MICROS) + 1) * DAY_MICROS;

export const dayRange = ({ from, to }: Asked, nowMicros: number): DayRange => {
  const latest = nextDay(nowMicros);
  const end = to === undefined ? latest : momentOf(to);
  const start = from === undefined ? end - REPORT_DAYS.usual * DAY_MICROS : momentOf(from);
  if (end > latest) throw validationError(['to must not be later than tomorrow']);
  if (start >= end) throw validationError(['from must be before to']);
  if (end - start > REPORT_DAYS.max * DAY_MICROS) {
    throw validationError([`from and to must be at most ${REPORT_DAYS.max} days apart`]);
  }
  return { from: formatInstant(start), to: formatInstant(end) };
};

const MONDAY = 1;
const WEEK_DAYS = 7;

/** The beginning of the next interval. */
const nextStart = (micros: number, interval: FeeInterval): number => {
  const day = new Date(micros / 1_000);
  if (interval === 'day') return micros + DAY_MICROS;
  if (interval === 'month') return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1) * 1_000;
  const daysLeft = (MONDAY - day.getUTCDay() + WEEK_DAYS) % WEEK_DAYS || WEEK_DAYS;
  return micros + daysLeft * DAY_MICROS;
};

/** The intervals of the range, oldest first. The range cuts the first and the last one. */
export const intervalsOf = ({ from, to }: DayRange, interval: FeeInterval): DayRange[] => {
  const end = momentOf(to);
  const found: DayRange[] = [];
  for (let start = momentOf(from); start < end; ) {
    const next = Math.min(nextStart(start, interval), end);
    found.push({ from: formatInstant(start), to: formatInstant(next) });
    start = next;
  }
  return found;
};
