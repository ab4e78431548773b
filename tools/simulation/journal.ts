// What the simulation was told: every call with its outcome, and everything that should never have been said. An outcome is
// acknowledged, refused, or unknown; only the first two are certain.

import { HoldfastError } from '@holdfast/sdk';

export type Outcome = 'acknowledged' | 'refused' | 'unknown';

export type Attempt = {
  readonly attacker: string;
  readonly what: string;
  readonly outcome: Outcome;
  readonly told: string;
};

export type Entry = { readonly tag: string; readonly call: string; readonly outcome: Outcome; readonly told: string };

export type Told<Result> =
  | { readonly outcome: 'acknowledged'; readonly value: Result }
  | { readonly outcome: 'refused' | 'unknown'; readonly error: HoldfastError };

export type Journal = ReturnType<typeof openJournal>;

const TAIL = 30;

export const openJournal = () => {
  const entries: Entry[] = [];
  const attempts: Attempt[] = [];
  const violations: string[] = [];
  const note = (entry: Entry): void => void entries.push(entry);

  const told = async <Result>(work: () => Promise<Result>): Promise<Told<Result>> => {
    try {
      return { outcome: 'acknowledged', value: await work() };
    } catch (error) {
      if (!(error instanceof HoldfastError)) throw error;
      return { outcome: error.outcomeUnknown ? 'unknown' : 'refused', error };
    }
  };

  return {
    entries,
    attempts,
    told,
    violations,
    note,
    violate: (finding: string): void => void violations.push(finding),
    attempt: (one: Attempt): void => void attempts.push(one),

    /** Makes a call, and keeps what came of it. Whatever is no answer of the client is a mistake, and thrown. */
    async ask<Result>(of: { tag: string; call: string }, work: () => Promise<Result>): Promise<Told<Result>> {
      const answer = await told(work);
      const { outcome } = answer;
      if (outcome === 'acknowledged') note({ ...of, outcome, told: statusOf(answer.value) });
      else note({ ...of, outcome, told: `${answer.error.status} ${answer.error.code}: ${answer.error.message}` });
      return answer;
    },

    /** Of the lives that these words name, if they name any. */
    tail(about: string): string[] {
      const named = new Set(about.match(/\bs\d+-\d+-\d+\b/g));
      const own = entries.filter(({ tag }) => named.has(tag));
      return (own.length > 0 ? own : entries)
        .slice(-TAIL)
        .map(({ tag, call, outcome, told }) => `${tag} ${call}: ${outcome} ${told}`.trim());
    },

    counts: (): Record<Outcome, number> => countsOf(entries),
    /** By attacker. */
    attemptCounts(): Record<string, Record<Outcome, number>> {
      const byAttacker = Object.groupBy(attempts, ({ attacker }) => attacker);
      return Object.fromEntries(Object.entries(byAttacker).map(([name, own = []]) => [name, countsOf(own)]));
    },
  };
};

const countsOf = (list: readonly { readonly outcome: Outcome }[]): Record<Outcome, number> => {
  const counts = { acknowledged: 0, refused: 0, unknown: 0 };
  for (const { outcome } of list) counts[outcome]++;
  return counts;
};

const statusOf = (value: unknown): string => String((value as { status?: unknown } | null)?.status ?? '');
