// How long it is until a deadline, or since it passed, in words.

const STEPS = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
] as const;

/** `2 d 4 h`, with the two largest units; null for less than a minute. */
const spanOf = (durationMs: number): string | null => {
  const first = STEPS.findIndex(({ ms }) => durationMs >= ms);
  if (first < 0) return null;
  const large = STEPS[first]!;
  const small = STEPS[first + 1];
  const whole = Math.floor(durationMs / large.ms);
  const rest = small ? Math.floor((durationMs % large.ms) / small.ms) : 0;
  return `${whole} ${large.name}${small && rest > 0 ? ` ${rest} ${small.name}` : ''}`;
};

/** `in 2 d 4 h`. */
export const countdown = (at: string, now: number): string => {
  const left = Date.parse(at) - now;
  if (left <= 0) return 'due now';
  const span = spanOf(left);
  return span === null ? 'in less than a minute' : `in ${span}`;
};

/** How long the time has passed: `2 d 4 h`; null before, and in the first minute, in which it is carried out. */
export const overdueBy = (at: string, now: number): string | null => spanOf(now - Date.parse(at));
