// ISO 8601 durations as policies have them: weeks, or days, hours, minutes and seconds.

import { plural } from '../../plural.ts';

const FORM = /^P(?:(\d+)W|(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?)$/;

const UNITS = [
  { name: 'week', ms: 604_800_000 },
  { name: 'day', ms: 86_400_000 },
  { name: 'hour', ms: 3_600_000 },
  { name: 'minute', ms: 60_000 },
  { name: 'second', ms: 1_000 },
] as const;

/** The parts by unit, zero where one is absent; null when the text is not such a duration. */
const partsOf = (text: string): readonly number[] | null => {
  const match = FORM.exec(text);
  return match && /\d/.test(text) ? match.slice(1).map((part) => Number(part ?? '0')) : null;
};

export const durationMs = (text: string): number | null => {
  const parts = partsOf(text);
  return parts && UNITS.reduce((sum, { ms }, at) => sum + (parts[at] ?? 0) * ms, 0);
};

/** `P1DT12H` to `1 day 12 hours`; the text itself when it is not a duration. */
export const durationWords = (text: string): string => {
  const parts = partsOf(text);
  if (!parts) return text;
  return UNITS.flatMap(({ name }, at) => (parts[at] ? [plural(parts[at], name)] : [])).join(' ');
};
