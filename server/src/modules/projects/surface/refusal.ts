// A refusal of Surface B, with its own message.

import { REFUSALS, type RefusalName } from '@holdfast/contract/surface-b/refusals.ts';
import { DomainError, type ErrorDetails } from '../../../base/domain-error.ts';

export const refusal = (name: RefusalName, details: ErrorDetails = {}): DomainError => {
  const { code, message, status } = REFUSALS[name];
  return new DomainError(code, { message, status, details });
};

/** The request is not valid, and why. */
export const invalid = (...errors: readonly string[]): DomainError => refusal('invalid', { validationErrors: errors });
