// Reads the answers of the service and turns everything but a success into the one error. An answer from elsewhere, such as the page
// of a proxy, must never be taken for an answer of the service.

import { type ErrorCode, type ErrorDetails, HoldfastError } from './errors.ts';
import { isOutsideRefusal } from './failures.ts';
import type { WaitingForApproval } from './printed/approvals.ts';

export type Wrapping = 'plain' | 'success' | 'list' | 'raw';

const BODY_SHOWN_MAX = 500;

type Json = Record<string, unknown>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Returns the data of the envelope. A list becomes a page. */
export const unwrap = (text: string, from: { wrapping: Wrapping; response: Response }): unknown => {
  const { wrapping, response } = from;
  if (wrapping === 'raw') {
    if (response.headers.get('content-type')?.startsWith('text/html')) throw unexpected(text, response);
    return text;
  }
  const body = parsed(text);
  if (!isRecord(body) || !('data' in body)) throw unexpected(text, response);
  if (wrapping === 'plain') return body.data;
  const inner = body.data;
  if (!isRecord(inner) || !('data' in inner)) throw unexpected(text, response);
  if (wrapping === 'success') return inner.data;
  // A loop over a foreign page would end as if the list were empty.
  if (!Array.isArray(inner.data) || typeof inner.hasMore !== 'boolean') throw unexpected(text, response);
  const page = { items: inner.data, hasMore: inner.hasMore, nextCursor: inner.nextCursor };
  return Array.isArray(inner.archives) ? { ...page, archives: inner.archives } : page;
};

/** The approval that the request waits for; null when the answer is the route's own. */
export const waitingIn = (text: string, response: Response): WaitingForApproval | null => {
  if (response.status !== 202) return null;
  const body = parsed(text);
  const data = isRecord(body) ? body.data : undefined;
  return isRecord(data) && isRecord(data.approval) ? (data as WaitingForApproval) : null;
};

export const approvalPending = (waiting: WaitingForApproval, response: Response): HoldfastError =>
  new HoldfastError({
    code: 'APPROVAL_PENDING',
    message: `Nothing was done yet: the request waits for the approval ${waiting.approval.id} of another actor.`,
    status: response.status,
    details: { ...waiting },
    requestId: requestIdOf(response),
    retryAfter: null,
    outcomeUnknown: false,
  });

const requestIdOf = (response: Response): string | null => response.headers.get('x-request-id');

/** Statuses after which it is unknown whether the work was done. */
const isUnclear = (status: number): boolean => status >= 500 || status === 408;

const retryAfterOf = (response: Response): number | null => {
  const header = response.headers.get('retry-after');
  if (header === null) return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1_000));
};

/** Programs and test runners print only the message, so it names the first problem of an invalid request. */
const messageOf = (message: unknown, details: unknown): string => {
  const { validationErrors } = details as { validationErrors?: unknown };
  const [first, ...more] = Array.isArray(validationErrors) ? validationErrors.map(String) : [];
  if (first === undefined) return String(message);
  const rest = more.length === 0 ? '' : ` More problems in details.validationErrors: ${more.length}.`;
  return `The request is not valid: ${first.replace(/\.$/, '')}.${rest}`;
};

export const refusalOf = (text: string, response: Response): HoldfastError => {
  const body = parsed(text);
  const error = isRecord(body) ? body.error : undefined;
  if (!isRecord(error) || typeof error.code !== 'string') return unexpected(text, response);
  const details = (isRecord(error.details) ? error.details : {}) as ErrorDetails<ErrorCode>;
  return new HoldfastError({
    code: error.code as ErrorCode,
    message: messageOf(error.message, details),
    status: response.status,
    details,
    requestId: details.requestId ?? requestIdOf(response),
    retryAfter: retryAfterOf(response),
    outcomeUnknown: isOpen(error.code, { status: response.status, details }),
  });
};

/** A busy service has not begun the work, unless it says that the outcome is unknown. */
const isOpen = (code: string, { status, details }: { status: number; details: Json }): boolean => {
  if (code === 'SERVICE_UNAVAILABLE') return details.outcome === 'unknown';
  if (isOutsideRefusal(code, details)) return false;
  return code === 'IDEMPOTENCY_KEY_IN_PROGRESS' || isUnclear(status);
};

/** A refusal of Surface B: the status counts, and the message is for people. It does not say whether a 503 had begun the work. */
export const surfaceBRefusalOf = (text: string, response: Response): HoldfastError => {
  const body = parsed(text);
  if (!isRecord(body) || body.ok !== false) return unexpected(text, response);
  return new HoldfastError({
    code: 'REFUSED',
    message: String(body.message),
    status: response.status,
    details: { errors: Array.isArray(body.errors) ? body.errors.map(String) : [] },
    requestId: requestIdOf(response),
    retryAfter: retryAfterOf(response),
    outcomeUnknown: isUnclear(response.status),
  });
};

/** A server that does not know previews ignores the header, and has carried the request out. */
export const notPreviewed = (text: string, response: Response): HoldfastError =>
  new HoldfastError({
    code: 'UNEXPECTED_ANSWER',
    message: `${response.url} answered a preview without the header Dry-Run. The server may be an older version that carried the request out.`,
    status: response.status,
    details: { url: response.url, body: text.slice(0, BODY_SHOWN_MAX) },
    requestId: requestIdOf(response),
    retryAfter: null,
    outcomeUnknown: true,
  });

export const unexpected = (text: string, response: Response): HoldfastError =>
  new HoldfastError({
    code: 'UNEXPECTED_ANSWER',
    message: `${response.url || 'The address'} answered ${response.status}, but not like a Holdfast server. Check the url, and any proxy in front of the server.`,
    status: response.status,
    details: { url: response.url, body: text.slice(0, BODY_SHOWN_MAX) },
    requestId: requestIdOf(response),
    retryAfter: retryAfterOf(response),
    outcomeUnknown: response.ok || isUnclear(response.status),
  });
