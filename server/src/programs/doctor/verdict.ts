// The result of one check: ok, warning, failed or unknown; and how the results are printed. It never contains a secret.

type VerdictState = 'ok' | 'warning' | 'failed' | 'unknown';

export type Verdict = {
  readonly name: string;
  readonly state: VerdictState;
  readonly detail: string;
  /** What to do next; null when nothing has to be done. */
  readonly remedy: string | null;
};

export type CheckResult = Omit<Verdict, 'name'>;

export const fine = (detail: string): CheckResult => ({ state: 'ok', detail, remedy: null });

export const warning = (detail: string, remedy: string): CheckResult => ({ state: 'warning', detail, remedy });

export const failed = (detail: string, remedy: string): CheckResult => ({ state: 'failed', detail, remedy });

export const unknown = (detail: string): CheckResult => ({ state: 'unknown', detail, remedy: null });

const MARKS: Readonly<Record<VerdictState, string>> = { ok: '✓', warning: '!', failed: '✗', unknown: '?' };

export const isHealthy = (verdicts: readonly Verdict[]): boolean => verdicts.every(({ state }) => state !== 'failed');

export const summaryOf = (verdicts: readonly Verdict[]): string => {
  const count = (state: VerdictState): number => verdicts.filter((verdict) => verdict.state === state).length;
  return `Ok: ${count('ok')}. Warnings: ${count('warning')}. Failed: ${count('failed')}. Unknown: ${count('unknown')}.`;
};

/** The first line for people: another shell has other settings. */
const WHOSE_SETTINGS =
  'Checked with the settings of this shell. For those of a service, run it with the environment of the service: docs/security.md says how.';

export const linesOf = (verdicts: readonly Verdict[]): string[] => {
  const width = Math.max(...verdicts.map(({ name }) => name.length));
  const indent = ' '.repeat(width + 4);
  return [
    WHOSE_SETTINGS,
    '',
    ...verdicts.flatMap(({ name, state, detail, remedy }) => [
      `${MARKS[state]} ${name.padEnd(width)}  ${detail}`,
      ...(remedy === null ? [] : [`${indent}${remedy}`]),
    ]),
    '',
    summaryOf(verdicts),
  ];
};
