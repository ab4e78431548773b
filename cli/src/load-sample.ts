// Repeats one request for a few seconds over several connections, and measures the durations and the refusals.

import { HoldfastError } from '@holdfast/sdk';

export type Sample = {
  readonly name: string;
  /** Successful requests. */
  readonly count: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** How many errors of each code. */
  readonly errors: Readonly<Record<string, number>>;
};

export type Measuring = {
  readonly name: string;
  readonly seconds: number;
  readonly connections: number;
  readonly signal: AbortSignal;
  /** How long running calls may take after the end; hanging calls are not waited for longer. */
  readonly graceMs?: number;
  /** The signal aborts requests that are still running some time after the end. */
  call(worker: number, signal: AbortSignal): Promise<unknown>;
  /** From 0 to 1. */
  onProgress(done: number): void;
};

const PROGRESS_MS = 100;
const GRACE_MS = 5_000;

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

export const measure = async (measuring: Measuring): Promise<Sample> => {
  const { name, seconds, connections, signal, call, onProgress, graceMs = GRACE_MS } = measuring;
  const times: number[] = [];
  const errors: Record<string, number> = {};
  const startedAt = performance.now();
  const end = startedAt + seconds * 1_000;
  const over = AbortSignal.timeout(seconds * 1_000 + graceMs);
  const both = AbortSignal.any([signal, over]);
  const worker = async (at: number): Promise<void> => {
    while (performance.now() < end && !signal.aborted) {
      const begun = performance.now();
      try {
        await call(at, both);
        times.push(performance.now() - begun);
      } catch (error) {
        if (over.aborted && error === over.reason) {
          errors.NOT_ENDED = (errors.NOT_ENDED ?? 0) + 1;
          return;
        }
        if (!(error instanceof HoldfastError)) throw error;
        // Nothing was measured.
        if (error.code === 'CONNECTION_FAILED' && times.length === 0) throw error;
        errors[error.code] = (errors[error.code] ?? 0) + 1;
      }
    }
  };
  const timer = setInterval(() => onProgress((performance.now() - startedAt) / (seconds * 1_000)), PROGRESS_MS);
  try {
    await Promise.all(Array.from({ length: connections }, (_, at) => worker(at)));
  } finally {
    clearInterval(timer);
  }
  signal.throwIfAborted();
  const took = (performance.now() - startedAt) / 1_000;
  times.sort((a, b) => a - b);
  const p50 = percentile(times, 0.5);
  const p95 = percentile(times, 0.95);
  const p99 = percentile(times, 0.99);
  return { name, count: times.length, seconds: took, p50, p95, p99, errors };
};
