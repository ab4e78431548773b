// Turns whatever went wrong into the error envelope. A refusal says what it says; anything nobody planned is logged with
// the request's id and answered without a word about our insides.

import { ERRORS } from '@holdfast/contract/errors.ts';
import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import { DomainError, isDomainError } from '../base/domain-error.ts';
import { validationError } from './validation/messages.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

export const errorBody = (fault: DomainError, requestId: string): string =>
  JSON.stringify({
    error: { code: fault.code, message: fault.message, details: { ...fault.details, requestId } },
  });

/** Headers that belong to the refusal itself. */
export const faultHeaders = (fault: DomainError): Record<string, string> => {
  const headers: Record<string, string> = {};
  if (typeof fault.details.retryAfter === 'number') headers['retry-after'] = String(fault.details.retryAfter);
  if (fault.status === 401) headers['www-authenticate'] = 'Bearer';
  if (Array.isArray(fault.details.allowedMethods)) headers.allow = fault.details.allowedMethods.join(', ');
  return headers;
};

export const sendFault = (reply: FastifyReply, fault: DomainError): void => {
  reply.code(fault.status).headers(faultHeaders(fault)).header('content-type', JSON_TYPE);
  reply.send(errorBody(fault, reply.request.id));
};

/** What the framework refuses by itself, in our words. */
const FRAMEWORK_REFUSALS: Readonly<
  Record<string, (about: { contentType: string | null; bodyLimitBytes: number }) => DomainError>
> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ({ bodyLimitBytes }) =>
    new DomainError('PAYLOAD_TOO_LARGE', { details: { limitBytes: bodyLimitBytes } }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ({ contentType }) =>
    new DomainError('UNSUPPORTED_MEDIA_TYPE', { details: { contentType } }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => validationError(['The body is not as long as Content-Length says.']),
  FST_ERR_BAD_URL: () => validationError(['The URL is not encoded correctly.']),
  FST_ERR_MAX_PARAM_LENGTH: () => validationError(['A part of the path is too long.']),
};

export type ErrorAnswering = {
  readonly logger: FastifyBaseLogger;
  readonly bodyLimitBytes: number;
  /** Whether it only says that the database is not to be had just now. */
  isAway?(error: unknown): boolean;
};

/** Hands anything thrown to the error handler; a thrown text would otherwise be sent as an answer. */
export const fail = (reply: FastifyReply, error: unknown): void => {
  reply.send(error instanceof Error ? error : new Error('something that is no error was thrown', { cause: error }));
};

/** Nothing was done, and it may be asked again: a warning for each would be a flood of its own. */
const isJustBusy = ({ code, details }: DomainError): boolean =>
  code === 'SERVICE_UNAVAILABLE' && details.outcome === undefined;

export const toFault = (
  error: unknown,
  about: ErrorAnswering & { requestId: string; contentType: string | null },
): DomainError => {
  if (isDomainError(error)) {
    if (error.status >= 500 && !isJustBusy(error)) {
      about.logger.warn({ requestId: about.requestId, err: error }, 'request refused');
    }
    return error;
  }
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  const refusal = FRAMEWORK_REFUSALS[String(code)];
  if (refusal) return refusal(about);
  // The framework marks a body whose connection broke; the same code without the mark is one of our own connections.
  if (code === 'ECONNRESET' && statusCode === 400) return validationError(['The body ended early.']);
  if (about.isAway?.(error)) {
    about.logger.warn({ requestId: about.requestId, err: error }, 'the database is not to be had');
    // A part of the work may have been done before it went away.
    return new DomainError('SERVICE_UNAVAILABLE', { details: { retryAfter: 1, outcome: 'unknown' } });
  }
  about.logger.error({ requestId: about.requestId, err: error }, 'request failed');
  return new DomainError('INTERNAL_ERROR', { message: ERRORS.INTERNAL_ERROR.message });
};
