// What was asked and what came back: how long each answer took, by group and by sixth of the run, and every answer that
// the run did not expect. Keeps numbers only, so that a long run does not fill the memory of this process.

import { percentiles } from '../measure/rounds.ts';

export const GROUPS = [
  'money',
  'orders',
  'escrows',
  'payments',
  'reads',
  'pages',
  'users',
  'wrong',
  'streams',
] as const;
export type Group = (typeof GROUPS)[number];

export type Figures = { readonly count: number; readonly p50Ms: number; readonly p99Ms: number };

const TOLD_MAX = 20;

export const openRecorder = (parts: number) => {
  const times = Array.from({ length: parts }, () => new Map<Group, number[]>());
  const statuses = new Map<string, number>();
  const unexpected: string[] = [];
  const failures = new Map<string, number>();
  let part = 0;
  let requests = 0;
  let unexpectedCount = 0;

  const add = (group: Group, ms: number): void => {
    const known = times[part]!.get(group);
    if (known) known.push(ms);
    else times[part]!.set(group, [ms]);
  };

  return {
    unexpected: unexpected as readonly string[],
    statuses: statuses as ReadonlyMap<string, number>,
    failures: failures as ReadonlyMap<string, number>,
    requests: (): number => requests,
    unexpectedCount: (): number => unexpectedCount,

    /** From now on everything belongs to this part of the run. */
    enter(next: number): void {
      part = Math.min(next, parts - 1);
    },

    answered(group: Group, { status, ms }: { status: number | null; ms: number }): void {
      requests++;
      const name = String(status ?? 'none');
      statuses.set(name, (statuses.get(name) ?? 0) + 1);
      add(group, ms);
    },

    /** A failure that a client repeats or waits for by itself; counted by its words. */
    failed(what: string): void {
      failures.set(what, (failures.get(what) ?? 0) + 1);
    },

    odd(what: string): void {
      unexpectedCount++;
      if (unexpected.length < TOLD_MAX) unexpected.push(what);
    },

    figures(of: number, group: Group): Figures {
      const known = times[of]!.get(group) ?? [];
      return { count: known.length, ...percentiles(known) };
    },

    /** Over the whole run. */
    total(group: Group): Figures {
      const all = times.flatMap((each) => each.get(group) ?? []);
      return { count: all.length, ...percentiles(all) };
    },
  };
};
