// The verdicts for people, as lines of plain text.

import type { Verdict, VerdictState } from './verdict.ts';

const MARKS: Readonly<Record<VerdictState, string>> = { ok: '✓', warning: '!', failed: '✗', unknown: '?' };

export const isHealthy = (verdicts: readonly Verdict[]): boolean => verdicts.every(({ state }) => state !== 'failed');

export const summaryOf = (verdicts: readonly Verdict[]): string => {
  const count = (state: VerdictState): number => verdicts.filter((verdict) => verdict.state === state).length;
  return `${count('ok')} fine, ${count('warning')} worth a thought, ${count('failed')} wrong, ${count('unknown')} not seen.`;
};

export const linesOf = (verdicts: readonly Verdict[]): string[] => {
  const width = Math.max(...verdicts.map(({ name }) => name.length));
  const indent = ' '.repeat(width + 4);
  return [
    ...verdicts.flatMap(({ name, state, detail, remedy }) => [
      `${MARKS[state]} ${name.padEnd(width)}  ${detail}`,
      ...(remedy === null ? [] : [`${indent}${remedy}`]),
    ]),
    '',
    summaryOf(verdicts),
  ];
};
