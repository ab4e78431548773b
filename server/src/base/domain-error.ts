// A refusal: a row of the error table with this case's sentence and details. Thrown by rules and commands, caught once
// by the committer or the front door. It carries no stack, because a refusal is an answer and not a bug.

import { ERRORS, type ErrorCode } from '@holdfast/contract/errors.ts';

export type ErrorDetails = Readonly<Record<string, unknown>>;

export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  /** Differs from the table only where the spec gives one code two statuses. */
  readonly status: number;

  constructor(code: ErrorCode, options: { details?: ErrorDetails; message?: string; status?: number } = {}) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(options.message ?? ERRORS[code].message);
    Error.stackTraceLimit = limit;
    this.name = 'DomainError';
    this.code = code;
    this.details = options.details ?? {};
    this.status = options.status ?? ERRORS[code].status;
  }
}

/** Narrows what was caught: a refusal, or something that nobody planned. */
export const isDomainError = (error: unknown): error is DomainError => error instanceof DomainError;
