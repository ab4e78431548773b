// What the simulation was told: every call with its outcome, and everything that should never have been said. An outcome is
// acknowledged, refused, or unknown; only the first two are certain.

import { HoldfastError } from '@holdfast/sdk';

export type Outcome = 'acknowledged' | 'refused' | 'unknown';

export type Entry = { readonly tag: string; readonly call: string; readonly outcome: Outcome; readonly told: string };

export type Told<Result> =
  | { readonly outcome: 'acknowledged'; readonly value: Result }
  | { readonly outcome: 'refused' | 'unknown'; readonly error: HoldfastError };

export type Journal = ReturnType<typeof openJournal>;

const TAIL = 30;

export const openJournal = () => {
  const entries: Entry[] = [];
  const violations: string[] = [];
  const note = (entry: Entry): void => void entries.push(entry);

  return {
    entries,
    violations,
    note,
    violate: (finding: string): void => void violations.push(finding),

    /** Makes a call, and keeps what came of it. Whatever is no answer of the client is a mistake, and thrown. */
    async ask<Result>(of: { tag: string; call: string }, work: () => Promise<Result>): Promise<Told<Result>> {
      try {
        const value = await work();
        note({ ...of, outcome: 'acknowledged', told: statusOf(value) });
        return { outcome: 'acknowledged', value };
      } catch (error) {
        if (!(error instanceof HoldfastError)) throw error;
        const outcome = error.outcomeUnknown ? 'unknown' : 'refused';
        note({ ...of, outcome, told: `${error.status} ${error.code}: ${error.message}` });
        return { outcome, error };
      }
    },

    /** Of the lives that these words name, if they name any. */
    tail(about: string): string[] {
      const named = new Set(about.match(/\bs\d+-\d+-\d+\b/g));
      const own = entries.filter(({ tag }) => named.has(tag));
      return (own.length > 0 ? own : entries)
        .slice(-TAIL)
        .map(({ tag, call, outcome, told }) => `${tag} ${call}: ${outcome} ${told}`.trim());
    },

    counts(): Record<Outcome, number> {
      const counts = { acknowledged: 0, refused: 0, unknown: 0 };
      for (const { outcome } of entries) counts[outcome]++;
      return counts;
    },
  };
};

const statusOf = (value: unknown): string => String((value as { status?: unknown } | null)?.status ?? '');
