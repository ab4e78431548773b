// What it means that a call failed: whether a moment later it may go well, and whether the work may have been done all the
// same. It must never call something not done that nobody knows about.

import { type AnyHoldfastError, HoldfastError } from './errors.ts';

/** The connection was never made: nothing was sent. */
const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];

export type Called = { readonly url: string; readonly method: string };

const codeOf = (error: unknown): string => {
  const cause = (error as { cause?: { code?: unknown; errors?: { code?: unknown }[] } }).cause;
  return String(cause?.code ?? cause?.errors?.[0]?.code ?? (error as { code?: unknown }).code ?? '');
};

export const disconnected = ({ url }: Pick<Called, 'url'>, error: unknown): HoldfastError => {
  const code = codeOf(error);
  const reason = code || (error instanceof Error ? error.message : String(error));
  return new HoldfastError({
    code: 'CONNECTION_FAILED',
    message: `Nothing answers at ${new URL(url).origin} (${reason}). Is the server started, and is the url right?`,
    status: null,
    details: { url, reason },
    requestId: null,
    outcomeUnknown: !NOT_SENT.includes(code),
    cause: error,
  });
};

export const timedOut = ({ url, method }: Called, timeoutMs: number): HoldfastError => {
  const doubt = method === 'GET' ? '' : ' The request may have taken effect: look before you repeat it.';
  return new HoldfastError({
    code: 'TIMED_OUT',
    message: `No answer from ${new URL(url).origin} within ${timeoutMs} ms.${doubt}`,
    status: null,
    details: { url, timeoutMs },
    requestId: null,
    outcomeUnknown: true,
  });
};

/** The same error with more said about it. */
export const knownAs = (
  error: HoldfastError,
  facts: { outcomeUnknown?: boolean; idempotencyKey?: string | null },
): HoldfastError => {
  const { code, message, status, details, requestId, retryAfter, outcomeUnknown, idempotencyKey, cause } = error;
  const told = { code, message, status, details, requestId, retryAfter, outcomeUnknown, idempotencyKey, cause };
  return new HoldfastError({ ...told, ...facts });
};

export const isRefusal = ({ status }: HoldfastError): boolean => status !== null && status >= 400 && status < 500;

/** Refused before the service looked at what was asked: it says nothing about an earlier attempt. */
const AT_THE_DOOR = [401, 403, 429];

/** What is left to say when an earlier attempt may have done the work. */
export const afterDoubt = (error: HoldfastError): HoldfastError =>
  isRefusal(error) && !AT_THE_DOOR.includes(error.status!) ? error : knownAs(error, { outcomeUnknown: true });

/** Whether the same request may be answered otherwise in a moment. */
export const isPassing = ({ code, status }: HoldfastError): boolean =>
  code === 'IDEMPOTENCY_KEY_IN_PROGRESS' || status === null || status === 429 || status === 408 || status >= 500;

/** Also right for an error that another copy of this package made. */
export const isOurs = (error: unknown): error is AnyHoldfastError =>
  (error as { name?: unknown } | null)?.name === 'HoldfastError';
