// The one error that the SDK throws. Its `code` says what happened and narrows its `details`; `outcomeUnknown` says
// whether the request may have taken effect all the same.

import type { ServiceErrors } from './printed/errors.ts';

/** What can go wrong before the service has answered, or with an answer that is none of its own. */
export type ClientErrors = {
  /** Nothing answered at the address, or the connection broke. */
  CONNECTION_FAILED: { url: string; reason: string };
  /** No whole answer within `timeoutMs`. */
  TIMED_OUT: { url: string; timeoutMs: number };
  /** Something answered that does not speak the service's language, such as a proxy. */
  UNEXPECTED_ANSWER: { url: string; body: string };
  /** A refusal of Surface B, which names no codes: branch on `status`. */
  REFUSED: { errors: string[] };
  /** A webhook's signature, time or body is not right. */
  WEBHOOK_REJECTED: { reason: string };
};

type Catalogue = ServiceErrors & ClientErrors;

export type ErrorCode = keyof Catalogue;

/** Every detail that the code promises, and whatever else helps. */
export type ErrorDetails<Code extends ErrorCode> = Catalogue[Code] & { requestId?: string; [other: string]: unknown };

export type ErrorFacts<Code extends ErrorCode> = {
  readonly code: Code;
  readonly message: string;
  /** Of the HTTP answer; null when there was none. */
  readonly status: number | null;
  readonly details: ErrorDetails<Code>;
  readonly requestId: string | null;
  /** How long the service asks to wait, in seconds. */
  readonly retryAfter?: number | null;
  readonly outcomeUnknown?: boolean;
  readonly idempotencyKey?: string | null;
  readonly cause?: unknown;
};

/** One member for each code, so that comparing `code` narrows `details`. */
export type AnyHoldfastError = { [Code in ErrorCode]: HoldfastError<Code> }[ErrorCode];

/**
 * Everything that the client throws by itself, but for a caller's mistake (TypeError) and the reason of an aborted signal.
 *
 * ```ts
 * if (error instanceof HoldfastError && error.code === 'INSUFFICIENT_FUNDS') console.log(error.details.available);
 * ```
 */
export class HoldfastError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'HoldfastError';
  /** What happened. Compare it, and `details` has the fields that this code promises. */
  readonly code: Code;
  /** Of the HTTP answer; null when there was none. */
  readonly status: number | null;
  /** What the code promises, and whatever else helps. */
  readonly details: ErrorDetails<Code>;
  /** Quote it when you ask whoever runs the server; their logs have it too. */
  readonly requestId: string | null;
  /** How long the service asks to wait, in seconds. */
  readonly retryAfter: number | null;
  /** True when the request may have taken effect although no answer says so: look before you repeat it by hand. */
  readonly outcomeUnknown: boolean;
  /** The key that the request was sent with: the same call with it again cannot do the work twice. */
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
    // biome-ignore lint/complexity/noThisInStatic: a class that extends this one asks about itself
    return Function.prototype[Symbol.hasInstance].call(this, value);
  }

  /** For logs: everything but the stack. */
  toJSON(): Record<string, unknown> {
    const { name, code, message, status, details, requestId, outcomeUnknown, idempotencyKey } = this;
    return { name, code, message, status, details, requestId, outcomeUnknown, idempotencyKey };
  }
}
