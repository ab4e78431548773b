// ISO 8601 durations in units of fixed length: weeks alone, or days, hours, minutes and seconds. Months and years are refused, because
// their length depends on the calendar.

const DURATION = /^P(?:(\d{1,4})W|(?=\d|T\d)(?:(\d{1,5})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?)$/;

const SECOND_MS = 1_000;
const DAY_MS = 86_400 * SECOND_MS;
/** Ten years. */
const MAX_MS = 3_653 * DAY_MS;

/** The length in milliseconds; null when it is no such duration, shorter than a second or longer than ten years. */
export const durationMs = (text: string): number | null => {
  const match = DURATION.exec(text);
  if (!match) return null;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  const ms = weeks * 7 * DAY_MS + days * DAY_MS + (hours * 3_600 + minutes * 60 + seconds) * SECOND_MS;
  return ms >= SECOND_MS && ms <= MAX_MS ? ms : null;
};
