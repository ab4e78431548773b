// A refusal of Surface B, in its own words.

import { REFUSALS, type RefusalName } from '@holdfast/contract/surface-b/refusals.ts';
import { Fault, type FaultDetails } from '../../../base/domain-error.ts';

export const refusal = (name: RefusalName, details: FaultDetails = {}): Fault => {
  const { code, message, status } = REFUSALS[name];
  return new Fault(code, { message, status, details });
};

/** The request is not valid, and why. */
export const invalid = (...errors: readonly string[]): Fault => refusal('invalid', { validationErrors: errors });
