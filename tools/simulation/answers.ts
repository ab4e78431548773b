// Judges every refusal that a client of the simulation is given: a 5xx must be one that the contract names and say what
// happened, and nothing that is asked for here is malformed, unknown or forbidden.

import { ERRORS } from '@holdfast/contract/errors.ts';

/** What a simulation can be told with good reason. */
const EXPECTED: readonly string[] = [
  'INVALID_STATE',
  'INSUFFICIENT_FUNDS',
  'RESERVE_NOT_FOUND',
  'RESERVATION_EXCEEDED',
  'RESERVATION_NOT_FOUND',
  'INVALID_RESERVED_DEDUCTION',
  'ESCROW_FUNDING_FAILED',
  'ESCROW_ALREADY_EXISTS',
  'DISPUTE_ALREADY_OPEN',
  'ORDER_ALREADY_EXISTS',
  'IDEMPOTENCY_KEY_IN_PROGRESS',
  'WITHDRAWAL_DESTINATION_INVALID',
  'PROVIDER_TIMEOUT',
  'SERVICE_UNAVAILABLE',
  'VERIFICATION_FAILED',
  'INTERNAL_ERROR',
];

const REQUEST_TIMEOUT = 408;

type Refusal = {
  readonly code?: string;
  readonly message?: string;
  readonly details?: Readonly<Record<string, unknown>>;
};

/** An order that is smaller than the fee of its policy; the scenario checks that it is. */
const isEatenByFee = ({ code, details }: Refusal): boolean =>
  code === 'INVALID_AMOUNT' && details?.policyId !== undefined;

const parsed = (text: string): { error?: Refusal } | null => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** What is wrong with a refusal; null when it is one that may be given. */
export const judge = (status: number, text: string): string | null => {
  // The simulation was busy for longer than a connection may stay without a request. Nothing happened, and the client repeats it.
  if (status === REQUEST_TIMEOUT) return null;
  const error = parsed(text)?.error;
  const told = `${status} ${text.slice(0, 300)}`;
  if (!error?.code) return `a response without an error envelope: ${told}`;
  if (!EXPECTED.includes(error.code) && !isEatenByFee(error))
    return `an error code that this call must not return: ${told}`;
  // An unexpected failure has the default message; a refusal of an outside system names the system.
  if (error.code === 'INTERNAL_ERROR' && error.message === ERRORS.INTERNAL_ERROR.message) {
    return `unexpected internal error: ${told}`;
  }
  return null;
};

/** Likewise for an attacker, who may be refused with every code: only the form counts, and that a failure is planned. */
export const judgeAttempt = (status: number, text: string): string | null => {
  const error = parsed(text)?.error;
  const told = `${status} ${text.slice(0, 300)}`;
  if (!error?.code || !error.message) return `a response without an error envelope: ${told}`;
  return status >= 500 && status !== 503 ? judge(status, text) : null;
};
