// Creates the API client. Every request of the console goes through it, to the server that served the page.

import { Holdfast, HoldfastError } from '@holdfast/sdk';
import { recordAttempt } from './rate-limit.ts';
import { noteServerTime } from './server-clock.ts';

export type Client = Holdfast;

/** A key, or the token that a change needs beside the cookie of an operator's session. Never put either into a URL. */
export type Credentials = ({ readonly apiKey: string } | { readonly csrfToken: string }) & {
  readonly marketplaceId?: string;
};

const timedFetch: typeof fetch = async (input, init) => {
  const answer = await window.fetch(input, init);
  noteServerTime(answer.headers.get('date'));
  return answer;
};

/** The browser adds the cookie itself, to requests and to the event stream. */
const fetchWith =
  (csrfToken: string): typeof fetch =>
  (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('x-csrf-token', csrfToken);
    return timedFetch(input, { ...init, headers });
  };

export const makeClient = ({ marketplaceId, ...credentials }: Credentials): Client =>
  new Holdfast({
    url: window.location.origin,
    onAttempt: recordAttempt,
    ...('apiKey' in credentials ? { ...credentials, fetch: timedFetch } : { fetch: fetchWith(credentials.csrfToken) }),
    ...(marketplaceId === undefined ? {} : { marketplaceId }),
  });

export const isRefusal = (error: unknown): error is HoldfastError => error instanceof HoldfastError;

/** The key or the session has ended or was never valid: the user must sign in again. */
export const isSignedOut = (error: unknown): boolean => isRefusal(error) && error.status === 401;

/** The id of the approval that the request waits for; null when it does not wait. Nothing was done, and it must not be sent again. */
export const waitingFor = (error: unknown): string | null =>
  isRefusal(error) && error.code === 'APPROVAL_PENDING'
    ? (error.details as { approval: { id: string } }).approval.id
    : null;

/** The message to show. For an invalid request it is the server's list of problems. */
export const errorMessage = (error: unknown): string => {
  if (isRefusal(error) && error.code === 'VALIDATION_ERROR') return validationMessage(error) ?? error.message;
  return error instanceof Error ? error.message : String(error);
};

const validationMessage = ({ details }: HoldfastError): string | null => {
  const { validationErrors } = details as { validationErrors?: unknown };
  return Array.isArray(validationErrors) && validationErrors.length > 0 ? validationErrors.join(' ') : null;
};

/** The id under which the server logged the request. */
export const requestIdOf = (error: unknown): string | null => (isRefusal(error) ? error.requestId : null);

/** The server's messages by field name. Messages about no known field are under the empty name. */
export const fieldErrorsOf = (error: unknown, fields: readonly string[]): Readonly<Record<string, string>> => {
  if (!isRefusal(error)) return {};
  const { validationErrors } = error.details as { validationErrors?: unknown };
  const messages = Array.isArray(validationErrors) ? validationErrors.map(String) : [error.message];
  const found: Record<string, string> = {};
  for (const sentence of messages) {
    const field = fields.find((name) => new RegExp(`^\\W*${name}\\b`).test(sentence)) ?? '';
    found[field] = found[field] ? `${found[field]} ${sentence}` : sentence;
  }
  return found;
};
