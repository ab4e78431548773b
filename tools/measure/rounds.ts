// Measures in rounds: in each, every step once and in turn, so that a slow minute of a shared machine meets all of them.
// What counts is the median over the rounds; a ratio is taken within each round first.

import { say } from './options.ts';

export type Sample = {
  readonly perSecond: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  /** Commands that shared a commit. */
  readonly groupSize?: number;
  /** CPU of the measuring process for one of them, in microseconds. */
  readonly cpuMicros?: number;
  /** Likewise of the server that is measured, and of its PostgreSQL. */
  readonly serverMicros?: number;
  readonly postgresMicros?: number;
};

const OPTIONAL = ['p50Ms', 'p99Ms', 'groupSize', 'cpuMicros', 'serverMicros', 'postgresMicros'] as const;

export type Step = { readonly name: string; run(): Promise<Sample> };

/** By step: what each round gave; a step that stands in the list twice gives two samples a round. */
export type Taken = ReadonlyMap<string, readonly (readonly Sample[])[]>;

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return Number.isInteger(middle) ? (sorted[middle - 1]! + sorted[middle]!) / 2 : sorted[Math.floor(middle)]!;
};

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** From times in milliseconds. */
export const percentiles = (times: readonly number[]): { p50Ms: number; p99Ms: number } => {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
};

export const runRounds = async (steps: readonly Step[], rounds: number): Promise<Taken> => {
  const taken = new Map<string, Sample[][]>(steps.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of taken.keys()) taken.get(name)!.push([]);
    for (const step of steps) {
      const sample = await step.run();
      taken.get(step.name)![round]!.push(sample);
      say(`round ${round + 1} of ${rounds}: ${step.name}: ${Math.round(sample.perSecond)}/s`);
    }
  }
  return taken;
};

export const typical = (taken: Taken, name: string): Sample => {
  const samples = taken.get(name)!.flat();
  const of = (field: keyof Sample): number | undefined => {
    const values = samples.map((sample) => sample[field]).filter((value) => value !== undefined);
    return values.length > 0 ? median(values) : undefined;
  };
  const optional = Object.fromEntries(OPTIONAL.map((field) => [field, of(field)]));
  return { perSecond: of('perSecond')!, ...(optional as Partial<Sample>) };
};

/** How many times the yardstick's speed. */
export const ratio = (taken: Taken, name: string, yardstick: string): number => {
  const speed = (of: string, round: number): number => mean(taken.get(of)![round]!.map(({ perSecond }) => perSecond));
  return median(taken.get(name)!.map((_, round) => speed(name, round) / speed(yardstick, round)));
};
