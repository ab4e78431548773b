// Which refusals are kept for a repeat: those that are an answer to the request. One that says "not now" or "not like
// this" must be free to turn out differently the next time.

import type { ErrorCode } from '@holdfast/contract/errors.ts';
import type { DomainError } from '../../base/domain-error.ts';

const NEVER_STORED: ReadonlySet<ErrorCode> = new Set([
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'INSUFFICIENT_SCOPE',
  'RATE_LIMITED',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_PROGRESS',
]);

export const isStorable = (fault: DomainError): boolean => fault.status < 500 && !NEVER_STORED.has(fault.code);
