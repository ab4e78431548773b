// The time zone of the browser: its name, a time of it as text, and the first moment of a day in it.

export const zoneName = (): string => new Intl.DateTimeFormat('en-GB').resolvedOptions().timeZone;

const padded = (number: number, places: number): string => String(number).padStart(places, '0');

/** `2026-11-17` */
export const localDay = (at: Date): string =>
  `${padded(at.getFullYear(), 4)}-${padded(at.getMonth() + 1, 2)}-${padded(at.getDate(), 2)}`;

/** `2026-11-17 21:05:09` */
export const localTime = (at: Date): string =>
  `${localDay(at)} ${padded(at.getHours(), 2)}:${padded(at.getMinutes(), 2)}:${padded(at.getSeconds(), 2)}`;

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;

/**
 * The first moment of the day, or of so many days later; null for a text that is no day. On a day whose midnight the clock skips, it is
 * the moment after the gap; on a day with two midnights it is the first.
 */
export const startOfDay = (day: string, { later = 0 } = {}): Date | null => {
  const [, year, month, date] = DAY.exec(day) ?? [];
  if (year === undefined) return null;
  const start = new Date(2000, 0, 1);
  // The constructor takes the years 0 to 99 for those of the twentieth century.
  start.setFullYear(Number(year), Number(month) - 1, Number(date) + later);
  start.setHours(0, 0, 0, 0);
  return Number.isNaN(start.getTime()) ? null : start;
};
