// Turns every error into the error envelope. A refusal is sent as it is. An unexpected error is logged with the request id and
// answered without internal details.

import { docUrlOf, ERRORS } from '@holdfast/contract/errors.ts';
import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import { DomainError, isDomainError } from '../base/domain-error.ts';
import { validationError } from './validation/messages.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

export const errorBody = (error: DomainError, requestId: string): string =>
  JSON.stringify({
    error: {
      code: error.code,
      message: error.message,
      details: { ...error.details, requestId, docUrl: docUrlOf(error.code) },
    },
  });

/** Headers that belong to the refusal. */
export const errorHeaders = (error: DomainError): Record<string, string> => {
  const headers: Record<string, string> = {};
  if (typeof error.details.retryAfter === 'number') headers['retry-after'] = String(error.details.retryAfter);
  if (error.status === 401) headers['www-authenticate'] = 'Bearer';
  if (Array.isArray(error.details.allowedMethods)) headers.allow = error.details.allowedMethods.join(', ');
  return headers;
};

export const sendError = (reply: FastifyReply, error: DomainError): void => {
  reply.code(error.status).headers(errorHeaders(error)).header('content-type', JSON_TYPE);
  reply.send(errorBody(error, reply.request.id));
};

/** Refusals of the framework, with our codes and sentences. */
const FRAMEWORK_REFUSALS: Readonly<
  Record<string, (about: { contentType: string | null; bodyLimitBytes: number }) => DomainError>
> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ({ bodyLimitBytes }) =>
    new DomainError('PAYLOAD_TOO_LARGE', { details: { limitBytes: bodyLimitBytes } }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ({ contentType }) =>
    new DomainError('UNSUPPORTED_MEDIA_TYPE', { details: { contentType } }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => validationError(['The length of the body differs from Content-Length.']),
  FST_ERR_BAD_URL: () => validationError(['The URL is not encoded correctly.']),
  FST_ERR_MAX_PARAM_LENGTH: () => validationError(['A part of the path is too long.']),
};

export type ErrorOptions = {
  readonly logger: FastifyBaseLogger;
  readonly bodyLimitBytes: number;
  /** True for an error that says that the database is unreachable. */
  isAway?(error: unknown): boolean;
};

/** Passes anything thrown to the error handler. Fastify would send a thrown string as the response. */
export const fail = (reply: FastifyReply, error: unknown): void => {
  reply.send(error instanceof Error ? error : new Error('a value that is not an Error was thrown', { cause: error }));
};

/** Nothing was done, and the request may be repeated. A warning for each would flood the log. */
const isJustBusy = ({ code, details }: DomainError): boolean =>
  code === 'SERVICE_UNAVAILABLE' && details.outcome === undefined;

export const toDomainError = (
  error: unknown,
  about: ErrorOptions & { requestId: string; contentType: string | null },
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
  // Fastify sets the status 400 when the client's connection broke. The same code without it is one of our own connections.
  if (code === 'ECONNRESET' && statusCode === 400) return validationError(['The body ended early.']);
  if (about.isAway?.(error)) {
    about.logger.warn({ requestId: about.requestId, err: error }, 'the database is unreachable');
    // A part of the work may have been done before the connection broke.
    return new DomainError('SERVICE_UNAVAILABLE', { details: { retryAfter: 1, outcome: 'unknown' } });
  }
  about.logger.error({ requestId: about.requestId, err: error }, 'request failed');
  return new DomainError('INTERNAL_ERROR', { message: ERRORS.INTERNAL_ERROR.message });
};
