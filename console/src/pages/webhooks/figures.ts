// Figures of deliveries as text: rates, counts and durations.

/** Rounded down, so that 100 % means that every delivery succeeded. */
export const percent = (rate: number | null): string =>
  rate === null ? '–' : `${(Math.floor(rate * 1_000) / 10).toLocaleString('en')} %`;

/** The server counts up to this number. */
const COUNT_MAX = 10_000;

export const counted = (count: number): string =>
  count >= COUNT_MAX ? `${COUNT_MAX.toLocaleString('en')} or more` : count.toLocaleString('en');

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

export const duration = (ms: number | null): string => {
  if (ms === null) return '–';
  if (ms < SECOND_MS) return `${Math.trunc(ms)} ms`;
  if (ms < MINUTE_MS) return `${rounded(ms / SECOND_MS)} s`;
  return ms < HOUR_MS ? `${Math.trunc(ms / MINUTE_MS)} min` : `${rounded(ms / HOUR_MS)} h`;
};

const rounded = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 1 });
