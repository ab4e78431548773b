// The refusals of Surface B and its envelope, for replies and for every refusal, including those of the HTTP layer.

import { ERRORS, type ErrorCode } from '@holdfast/contract/errors.ts';
import { REFUSALS, type RefusalName } from '@holdfast/contract/surface-b/refusals.ts';
import type { FastifyReply } from 'fastify';
import { DomainError, type ErrorDetails } from '../../../base/domain-error.ts';
import { errorHeaders, JSON_TYPE } from '../../../http/error-reply.ts';

export const wrap = (data: unknown, message: string) => ({ code: 200, type: 'success', ok: true, message, data });

/** Where the message of the HTTP layer names the other surface. */
const INSTEAD: Readonly<Partial<Record<ErrorCode, string>>> = {
  UNAUTHORIZED: REFUSALS.noToken.message,
  VALIDATION_ERROR: 'The request is not valid',
  INTERNAL_ERROR: 'Something went wrong on our side. Quote the header X-Request-ID when you report it',
};

const messageOf = ({ code, message }: DomainError): string =>
  message === ERRORS[code].message ? (INSTEAD[code] ?? message) : message;

const refusalBody = (error: DomainError): string => {
  const { validationErrors: errors } = error.details;
  return JSON.stringify({
    code: error.status,
    type: 'error',
    ok: false,
    message: messageOf(error),
    data: null,
    ...(Array.isArray(errors) ? { errors } : {}),
  });
};

export const sendRefusal = (reply: FastifyReply, error: DomainError): void => {
  reply.code(error.status).headers(errorHeaders(error)).header('content-type', JSON_TYPE);
  reply.send(refusalBody(error));
};

/** A refusal of Surface B, with its own message. */
export const refusal = (name: RefusalName, details: ErrorDetails = {}): DomainError => {
  const { code, message, status } = REFUSALS[name];
  return new DomainError(code, { message, status, details });
};

/** Refuses a request that is not valid, with the reasons. */
export const invalid = (...errors: readonly string[]): DomainError => refusal('invalid', { validationErrors: errors });
