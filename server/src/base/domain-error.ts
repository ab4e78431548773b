// Refusals. A DomainError is a public refusal: a row of the error table with the message and details of this case. An InternalRefusal
// is matched by its class in our own code and never shown to a caller.

import { ERRORS, type ErrorCode } from '@holdfast/contract/errors.ts';

export type ErrorDetails = Readonly<Record<string, unknown>>;

/**
 * Rules and commands throw it; the committer or the HTTP layer catches it. It has no stack, because a refusal is an answer and not a
 * bug.
 */
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

/** Distinguishes a refusal from an unexpected error. */
export const isDomainError = (error: unknown): error is DomainError => error instanceof DomainError;

/**
 * A command refuses for a reason that only our own code understands, such as "another worker holds this operation". `decide` throws
 * it: the command leaves nothing behind, and the code that submitted it catches the subclass it knows.
 */
export abstract class InternalRefusal extends Error {}
