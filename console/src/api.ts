// The one place that makes a client. Everything the console knows comes through it, and it talks to the very server that
// served the page.

import { Holdfast, HoldfastError } from '@holdfast/sdk';
import { noteAttempt } from './busy-key.ts';

export type Client = Holdfast;

/** What is needed to be let in; never put into a URL. */
export type Credentials = { readonly apiKey: string; readonly marketplaceId?: string };

export const makeClient = (credentials: Partial<Credentials> = {}): Client =>
  new Holdfast({ url: window.location.origin, onAttempt: noteAttempt, ...credentials });

export const isRefusal = (error: unknown): error is HoldfastError => error instanceof HoldfastError;

/** The key is gone, or was never right: only another sign-in helps. */
export const isSignedOut = (error: unknown): boolean => isRefusal(error) && error.status === 401;

/** What to tell a person about it; where the server has said what is wrong with the request, that is said. */
export const sentenceOf = (error: unknown): string => {
  if (isRefusal(error) && error.code === 'VALIDATION_ERROR') return toldBy(error) ?? error.message;
  return error instanceof Error ? error.message : String(error);
};

const toldBy = ({ details }: HoldfastError): string | null => {
  const { validationErrors } = details as { validationErrors?: unknown };
  return Array.isArray(validationErrors) && validationErrors.length > 0 ? validationErrors.join(' ') : null;
};

/** For whoever asks the people who run the server. */
export const requestIdOf = (error: unknown): string | null => (isRefusal(error) ? error.requestId : null);

/** The server's words about single fields, by the name of the field; those about none are under the empty name. */
export const fieldErrorsOf = (error: unknown, fields: readonly string[]): Readonly<Record<string, string>> => {
  if (!isRefusal(error)) return {};
  const { validationErrors } = error.details as { validationErrors?: unknown };
  const told = Array.isArray(validationErrors) ? validationErrors.map(String) : [error.message];
  const found: Record<string, string> = {};
  for (const sentence of told) {
    const field = fields.find((name) => new RegExp(`^\\W*${name}\\b`).test(sentence)) ?? '';
    found[field] = found[field] ? `${found[field]} ${sentence}` : sentence;
  }
  return found;
};
