// The one error class of the SDK. `code` says what happened and narrows `details`. `outcomeUnknown` says whether the request may
// have taken effect.

import type { WaitingForApproval } from './printed/approvals.ts';
import type { ServiceErrors } from './printed/errors.ts';
import type { WaitedRecord } from './wait-for.ts';

/** Failures without an answer of the service. */
export type ClientErrors = {
  /** Nothing answered at the address, or the connection broke. */
  CONNECTION_FAILED: { url: string; reason: string };
  /** No complete answer within `timeoutMs`. */
  TIMED_OUT: { url: string; timeoutMs: number };
  /** The answer did not come from the service, but for example from a proxy. */
  UNEXPECTED_ANSWER: { url: string; body: string };
  /** A rule of the marketplace makes the request wait. Nothing was done; `details.approval` is the request that waits. */
  APPROVAL_PENDING: WaitingForApproval;
  /** A refusal of Surface B, which has no codes: branch on `status`. */
  REFUSED: { errors: string[] };
  /** A wait ended before the record reached the goal. `last` is the record as it was read last; null when no read succeeded. */
  STILL_PENDING: WaitDetails;
  /** The record has ended in another state than the goal of the wait. */
  ENDED_OTHERWISE: WaitDetails;
  /** The signature, time or body of a webhook is not valid. */
  WEBHOOK_REJECTED: { reason: string };
};

/** What a wait knows about its record. */
type WaitDetails = { id: string; goal: string; state: string | null; last: WaitedRecord | null; waitedMs: number };

type Catalogue = ServiceErrors & ClientErrors;

export type ErrorCode = keyof Catalogue;

/** Every detail that the code promises, and possibly more. */
export type ErrorDetails<Code extends ErrorCode> = Catalogue[Code] & {
  requestId?: string;
  /** Where the code is explained, relative to the address of the server. */
  docUrl?: string;
  [other: string]: unknown;
};

export type ErrorFacts<Code extends ErrorCode> = {
  readonly code: Code;
  readonly message: string;
  /** The HTTP status; null without an answer. */
  readonly status: number | null;
  readonly details: ErrorDetails<Code>;
  readonly requestId: string | null;
  /** How many seconds the service asks to wait. */
  readonly retryAfter?: number | null;
  readonly outcomeUnknown?: boolean;
  readonly idempotencyKey?: string | null;
  readonly cause?: unknown;
};

/** One member for each code, so that comparing `code` narrows `details`. */
export type AnyHoldfastError = { [Code in ErrorCode]: HoldfastError<Code> }[ErrorCode];

/**
 * Every error that the client throws, except for mistakes of the caller (TypeError) and the reason of an aborted signal.
 *
 * ```ts
 * if (error instanceof HoldfastError && error.code === 'INSUFFICIENT_FUNDS') console.log(error.details.available);
 * ```
 */
export class HoldfastError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'HoldfastError';
  /** What happened. Comparing the code narrows `details` to the fields that it promises. */
  readonly code: Code;
  /** The HTTP status; null without an answer. */
  readonly status: number | null;
  /** The fields that the code promises, and possibly more. */
  readonly details: ErrorDetails<Code>;
  /** Quote this id when you report a problem to the operator of the server; the server's logs contain it. */
  readonly requestId: string | null;
  /** How many seconds the service asks to wait. */
  readonly retryAfter: number | null;
  /** True when the request may have taken effect without an answer: check its effect before you repeat it by hand. */
  readonly outcomeUnknown: boolean;
  /** The key of the request: the same call with this key cannot do the work twice. */
  readonly idempotencyKey: string | null;

  constructor(facts: ErrorFacts<Code>) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
    this.status = facts.status;
    this.details = facts.details;
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter ?? null;
    this.outcomeUnknown = facts.outcomeUnknown ?? false;
    this.idempotencyKey = facts.idempotencyKey ?? null;
  }

  /** `error instanceof HoldfastError` narrows to the union over all codes. */
  static override [Symbol.hasInstance](value: unknown): value is AnyHoldfastError {
    // biome-ignore lint/complexity/noThisInStatic: a subclass checks its own instances
    return Function.prototype[Symbol.hasInstance].call(this, value);
  }

  /** For logs: all fields without the stack. */
  toJSON(): Record<string, unknown> {
    const { name, code, message, status, details, requestId, outcomeUnknown, idempotencyKey } = this;
    return { name, code, message, status, details, requestId, outcomeUnknown, idempotencyKey };
  }
}
