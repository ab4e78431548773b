// What went wrong, as a sentence with the next step, and the exit code that tells programs the same. A stack is shown to
// nobody; a key never.

import { type AnyHoldfastError, HoldfastError } from '@holdfast/sdk';

export const EXIT = { fine: 0, refused: 1, usage: 2, unreachable: 3, interrupted: 130 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

type Failure = Error & { readonly exitCode: ExitCode };

/** Something that the tool itself found wrong. */
export const failure = (message: string, exitCode: ExitCode = EXIT.refused): Failure =>
  Object.assign(new Error(message), { exitCode });

export const wrongUsage = (message: string): Failure => failure(message, EXIT.usage);

export type Report = {
  readonly exitCode: ExitCode;
  readonly lines: readonly string[];
  readonly json: Record<string, unknown>;
};

const NEXT: Partial<Record<AnyHoldfastError['code'], string>> = {
  UNAUTHORIZED:
    'Give a key with --key or HOLDFAST_KEY, or save one with `holdfast login`. --verbose says which one is used.',
  INSUFFICIENT_SCOPE: 'Use a key that has the scope; `holdfast keys create` makes one.',
  CONNECTION_FAILED: 'Start one with `holdfast dev`, or name another with --url or HOLDFAST_URL.',
  RATE_LIMITED: 'Wait, or use a key with its own limit: `holdfast keys create --rate-limit`.',
  ORDER_NOT_FOUND: '`holdfast orders list` shows which there are.',
  USER_NOT_FOUND: '`holdfast users list` shows which there are.',
  DISPUTE_NOT_FOUND: '`holdfast disputes list` shows which there are.',
  TOPUP_NOT_FOUND: '`holdfast topups list` shows which there are.',
  WITHDRAWAL_NOT_FOUND: '`holdfast withdrawals list` shows which there are.',
  INSUFFICIENT_FUNDS: '`holdfast users credit` or a top-up adds money.',
};

const exitCodeOf = ({ code }: AnyHoldfastError): ExitCode =>
  code === 'CONNECTION_FAILED' || code === 'TIMED_OUT' || code === 'UNEXPECTED_ANSWER'
    ? EXIT.unreachable
    : EXIT.refused;

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/**
 * What the details add to the sentence, for the codes where they say what to do. A server of another version, or
 * something in between, may have left them out: that must not hide the sentence itself.
 */
const detailLines = (error: AnyHoldfastError): string[] => {
  if (error.code === 'VALIDATION_ERROR') return listOf(error.details.validationErrors).map((each) => `  - ${each}`);
  if (error.code === 'INVALID_STATE' && error.details.currentState) {
    const { currentState, allowedActions } = error.details;
    return [`  It is ${currentState}; possible now: ${listOf(allowedActions).join(', ') || 'nothing'}.`];
  }
  if (error.code === 'INSUFFICIENT_FUNDS' && error.details.requested) {
    const { requested, available, currency } = error.details;
    return [`  ${requested} ${currency} were asked for, ${available} ${currency} are available.`];
  }
  return [];
};

const repeatable = new WeakMap<Error, boolean>();

/** Whether the command that failed takes the key of the call that failed. What was said first counts. */
export const markRepeatable = (error: unknown, isRepeatable: boolean): void => {
  if (error instanceof Error && !repeatable.has(error)) repeatable.set(error, isRepeatable);
};

/** Whoever repeats it without looking may pay twice. A time-out says so itself. */
const doubtLines = (error: AnyHoldfastError): string[] => {
  const { code, outcomeUnknown, idempotencyKey } = error;
  if (!outcomeUnknown) return [];
  const key = repeatable.get(error) ? idempotencyKey : null;
  return [
    ...(code === 'TIMED_OUT' ? [] : ['It may have been done all the same: look before you repeat it.']),
    ...(key === null ? [] : [`The same command with --idempotency-key ${key} does it at most once.`]),
  ];
};

export const reportOf = (error: unknown): Report => {
  if (error instanceof HoldfastError) {
    const { code, message, status, requestId, details, outcomeUnknown, idempotencyKey } = error;
    const next = NEXT[code];
    return {
      exitCode: exitCodeOf(error),
      lines: [
        status === null ? message : `${code}: ${message}`,
        ...doubtLines(error),
        ...detailLines(error),
        ...(next === undefined ? [] : [next]),
        ...(requestId === null ? [] : [`Request ${requestId}`]),
      ],
      json: { code, message, status, requestId, details, outcomeUnknown, idempotencyKey },
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  const { exitCode = EXIT.refused } = error as Partial<Failure>;
  return { exitCode, lines: [message], json: { code: exitCode === EXIT.usage ? 'WRONG_USAGE' : 'FAILED', message } };
};
