// The errors of the provider: a message, the status again as `code`, and a type where its documentation has one.

import { ContractFailure } from '../ledger-network/failures.ts';
import { Refusal } from '../refusal.ts';

export const apiError = (code: number, message: string, type?: string): Refusal =>
  new Refusal(code, message, { message, code, ...(type === undefined ? {} : { type }) });

export const invalid = (message: string): Refusal => apiError(400, message);

// A refusal of the contract while a call is prepared or executed reaches the caller as a 500 with its text.
export function asApiErrors<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof ContractFailure) throw apiError(500, error.message);
    throw error;
  }
}
