// Times: ISO 8601 with exactly six places in UTC, so that they compare as text. Inside, microseconds since 1970 fit a
// safe integer until the year 2255.

export type Clock = () => number;

/** The wall clock, which knows milliseconds; the committer spreads what falls into the same one. */
export const systemClock: Clock = () => Date.now() * 1_000;

let secondsShown = -1;
let secondsText = '';

/** Up to the second it is kept from the last call: times come in bunches. */
export const formatInstant = (micros: number): string => {
  const seconds = Math.floor(micros / 1_000_000);
  if (seconds !== secondsShown) {
    secondsShown = seconds;
    secondsText = new Date(seconds * 1_000).toISOString().slice(0, 20);
  }
  return `${secondsText}${String(micros - seconds * 1_000_000).padStart(6, '0')}Z`;
};

/** Any ISO 8601 date-time, with up to microseconds kept; null when it is not one. */
export const parseInstant = (text: string): number | null => {
  const match = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/.exec(text);
  if (!match) return null;
  const seconds = Date.parse(`${match[1]}${match[3]}`);
  if (Number.isNaN(seconds)) return null;
  return seconds * 1_000 + Number((match[2] ?? '').padEnd(6, '0').slice(0, 6));
};
