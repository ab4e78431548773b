// The time zone of the browser: its name, and a time of it as text.

export const zoneName = (): string => new Intl.DateTimeFormat('en-GB').resolvedOptions().timeZone;

const padded = (number: number, places: number): string => String(number).padStart(places, '0');

/** `2026-11-17` */
export const localDay = (at: Date): string =>
  `${padded(at.getFullYear(), 4)}-${padded(at.getMonth() + 1, 2)}-${padded(at.getDate(), 2)}`;

/** `2026-11-17 21:05:09` */
export const localTime = (at: Date): string =>
  `${localDay(at)} ${padded(at.getHours(), 2)}:${padded(at.getMinutes(), 2)}:${padded(at.getSeconds(), 2)}`;
