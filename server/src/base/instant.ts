// Times: ISO 8601 in UTC with exactly six places, so that they compare as text. Internally they are microseconds since 1970, which fit a
// safe integer until the year 2255.

export type Clock = () => number;

/** The wall clock in milliseconds. The committer gives commands of the same millisecond different microseconds. */
export const systemClock: Clock = () => Date.now() * 1_000;

let msShown = -1;
let msText = '';

/** The wall clock as ISO 8601 with milliseconds. Formatted once per millisecond: under load many texts of the same one are needed. */
export const isoNow = (): string => {
  const nowMs = Date.now();
  if (nowMs !== msShown) {
    msShown = nowMs;
    msText = new Date(nowMs).toISOString();
  }
  return msText;
};

let secondsShown = -1;
let secondsText = '';

/** The text up to the second is reused from the last call, because many times have the same second. */
export const formatInstant = (micros: number): string => {
  const seconds = Math.floor(micros / 1_000_000);
  if (seconds !== secondsShown) {
    secondsShown = seconds;
    secondsText = new Date(seconds * 1_000).toISOString().slice(0, 20);
  }
  return `${secondsText}${String(micros - seconds * 1_000_000).padStart(6, '0')}Z`;
};

/** Parses any ISO 8601 date-time, up to microseconds; null when it is not valid. */
export const parseInstant = (text: string): number | null => {
  const match = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/.exec(text);
  if (!match) return null;
  const seconds = Date.parse(`${match[1]}${match[3]}`);
  if (Number.isNaN(seconds)) return null;
  return seconds * 1_000 + Number((match[2] ?? '').padEnd(6, '0').slice(0, 6));
};

/** The instant must have its form. */
export const laterBy = (instant: string, ms: number): string => formatInstant(parseInstant(instant)! + ms * 1_000);

/** The moment of a date or a time that the schema has checked. A date alone is its first moment in UTC. */
export const momentOf = (text: string): number => parseInstant(text.includes('T') ? text : `${text}T00:00:00Z`) ?? 0;
