// Classifies a failed call: whether a retry may succeed, and whether the work may have been done. An unknown outcome must never be
// reported as not done.

import { type AnyHoldfastError, HoldfastError } from './errors.ts';

/** The connection was never opened, so nothing was sent. */
const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];
/** An open connection can fail with the same codes later, and then the request may have arrived. */
const WHILE_CONNECTED = ['read', 'write'];

export type Called = { readonly url: string; readonly method: string };

type Reason = { readonly code?: unknown; readonly syscall?: unknown; readonly errors?: readonly Reason[] };

const reasonOf = (error: unknown): { code: string; wasConnected: boolean } => {
  const { cause } = error as { cause?: Reason };
  const { code = '', syscall } = [cause, cause?.errors?.[0], error as Reason].find((each) => each?.code) ?? {};
  return { code: String(code), wasConnected: WHILE_CONNECTED.includes(String(syscall)) };
};

/** OpenSSL and the platforms name it differently: TLS was spoken with a server that does not, or a certificate is not trusted. */
const NO_TLS = /WRONG_VERSION_NUMBER|EPROTO|PACKET_LENGTH|RECORD_LAYER/;
const CERTIFICATE = /CERT|SELF_SIGNED|ALTNAME/;
/** A server that speaks TLS closes a connection that does not. */
const CLOSED = /UND_ERR_SOCKET|ECONNRESET|HPE_/;

const adviceFor = (url: string, reason: string): string => {
  const isSecure = url.startsWith('https:');
  if (isSecure && NO_TLS.test(reason)) return 'The server speaks http there, not https: begin the url with http://.';
  if (CERTIFICATE.test(reason)) {
    return 'The certificate of the server is not trusted: give Node.js its authority with NODE_EXTRA_CA_CERTS.';
  }
  if (/ENOTFOUND|EAI_AGAIN/.test(reason)) return 'The name of the host is not known: check the url.';
  if (!isSecure && CLOSED.test(reason)) return 'Is the server stopping, or does it speak https there?';
  return 'Is the server started, and is the url right?';
};

export const disconnected = ({ url }: Pick<Called, 'url'>, error: unknown): HoldfastError => {
  const { code, wasConnected } = reasonOf(error);
  const reason = code || (error instanceof Error ? error.message : String(error));
  return new HoldfastError({
    code: 'CONNECTION_FAILED',
    message: `Nothing answers at ${new URL(url).origin} (${reason}). ${adviceFor(url, reason)}`,
    status: null,
    details: { url, reason },
    requestId: null,
    outcomeUnknown: wasConnected || !NOT_SENT.includes(code),
    cause: error,
  });
};

export const timedOut = ({ url, method }: Called, timeoutMs: number): HoldfastError => {
  const doubt = method === 'GET' ? '' : ' The request may have taken effect: check its effect before you repeat it.';
  return new HoldfastError({
    code: 'TIMED_OUT',
    message: `No answer from ${new URL(url).origin} within ${timeoutMs} ms.${doubt}`,
    status: null,
    details: { url, timeoutMs },
    requestId: null,
    outcomeUnknown: true,
  });
};

/** The same error with more information. */
export const knownAs = (
  error: HoldfastError,
  facts: { outcomeUnknown?: boolean; idempotencyKey?: string | null },
): HoldfastError => {
  const { code, message, status, details, requestId, retryAfter, outcomeUnknown, idempotencyKey, cause } = error;
  const told = { code, message, status, details, requestId, retryAfter, outcomeUnknown, idempotencyKey, cause };
  return new HoldfastError({ ...told, ...facts });
};

export const isRefusal = ({ status }: HoldfastError): boolean => status !== null && status >= 400 && status < 500;

/** A refusal, also one with the status 500, that names the operation which is carrying the work out. */
export const namesRunning = ({ details }: HoldfastError): boolean => {
  const { operation } = details as { operation?: { state?: unknown } | null };
  return operation?.state === 'RUNNING';
};

/** Refused before the service read the request: it says nothing about an earlier attempt. */
const AT_THE_DOOR = [401, 403, 429];

/**
 * The page of a proxy says nothing about an earlier attempt either, and what a DELETE does not find may be what an earlier attempt has
 * deleted.
 */
const isCertain = (error: HoldfastError, method: string): boolean =>
  isRefusal(error) &&
  error.code !== 'UNEXPECTED_ANSWER' &&
  !AT_THE_DOOR.includes(error.status!) &&
  !(method === 'DELETE' && error.status === 404);

/** The error when an earlier attempt may have done the work. */
export const afterDoubt = (error: HoldfastError, { method }: Pick<Called, 'method'>): HoldfastError =>
  isCertain(error, method) ? error : knownAs(error, { outcomeUnknown: true });

/** A refusal of an outside system. The status is 500, but the refusal is certain, and a retry would only be another attempt. */
export const isOutsideRefusal = (code: string, details: Readonly<Record<string, unknown>>): boolean =>
  code === 'INTERNAL_ERROR' && details.provider !== undefined;

/** Whether a retry may succeed after a short wait. */
export const isPassing = ({ code, status, details }: HoldfastError): boolean => {
  if (isOutsideRefusal(code, details)) return false;
  return code === 'IDEMPOTENCY_KEY_IN_PROGRESS' || status === null || status === 429 || status === 408 || status >= 500;
};

/** Also works for an error of another copy of this package. */
export const isOurs = (error: unknown): error is AnyHoldfastError =>
  (error as { name?: unknown } | null)?.name === 'HoldfastError';
