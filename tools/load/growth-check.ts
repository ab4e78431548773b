// Whether something stays flat. The resident memory of a process goes up and down with its garbage, so what is judged is the
// heap right after full collections: its floor in each sixth of the run, and the straight line through all of them after the
// first sixth, which is warm-up.

export type Point = { readonly atMs: number; readonly value: number };

export type Flatness = {
  /** The least of each sixth; null where none was taken. */
  readonly floors: readonly (number | null)[];
  /** How much the line rises from the end of warm-up to the end of the run. */
  readonly rise: number;
  /** Between the least of the first half after warm-up and the least of the second. */
  readonly floorRise: number;
  readonly tolerance: number;
  readonly isFlat: boolean;
};

export const PARTS = 6;

const least = (points: readonly Point[]): number | null =>
  points.length === 0 ? null : Math.min(...points.map(({ value }) => value));

/** Of the least squares. */
const slopeOf = (points: readonly Point[]): number => {
  const count = points.length;
  if (count < 2) return 0;
  const meanAt = points.reduce((sum, { atMs }) => sum + atMs, 0) / count;
  const mean = points.reduce((sum, { value }) => sum + value, 0) / count;
  const spread = points.reduce((sum, { atMs }) => sum + (atMs - meanAt) ** 2, 0);
  const common = points.reduce((sum, { atMs, value }) => sum + (atMs - meanAt) * (value - mean), 0);
  return spread === 0 ? 0 : common / spread;
};

/**
 * Flat: neither of two measures rises by more than the tolerance. What a program remembers up to a bound and then drops makes
 * a saw; the line may catch it rising, the floors of two halves do not when each half has a drop in it. So a leak is what
 * both of them show.
 */
export const checkGrowth = (points: readonly Point[], of: { lengthMs: number; tolerance: number }): Flatness => {
  const { lengthMs, tolerance } = of;
  const partOf = ({ atMs }: Point): number => Math.min(PARTS - 1, Math.floor((atMs / lengthMs) * PARTS));
  const floors = Array.from({ length: PARTS }, (_, part) => least(points.filter((point) => partOf(point) === part)));
  const warm = points.filter((point) => partOf(point) > 0);
  const middle = (lengthMs * (1 + 1 / PARTS)) / 2;
  const first = least(warm.filter(({ atMs }) => atMs < middle));
  const second = least(warm.filter(({ atMs }) => atMs >= middle));
  const rise = slopeOf(warm) * (lengthMs - lengthMs / PARTS);
  const floorRise = first === null || second === null ? 0 : second - first;
  return { floors, rise, floorRise, tolerance, isFlat: Math.min(rise, floorRise) <= tolerance };
};
