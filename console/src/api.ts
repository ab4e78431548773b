// Creates the API client. Every request of the console goes through it, to the server that served the page.

import { Holdfast, HoldfastError } from '@holdfast/sdk';
import { recordAttempt } from './rate-limit.ts';

export type Client = Holdfast;

/** What a sign-in needs. Never put it into a URL. */
export type Credentials = { readonly apiKey: string; readonly marketplaceId?: string };

export const makeClient = (credentials: Partial<Credentials> = {}): Client =>
  new Holdfast({ url: window.location.origin, onAttempt: recordAttempt, ...credentials });

export const isRefusal = (error: unknown): error is HoldfastError => error instanceof HoldfastError;

/** The key was revoked, has expired or was never valid: the user must sign in again. */
export const isSignedOut = (error: unknown): boolean => isRefusal(error) && error.status === 401;

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
