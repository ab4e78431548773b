// Amounts at the door: the money module parses, and a bad one is refused with the code that the route's row names.

import { DomainError } from '../base/domain-error.ts';
import { type Amount, parseAmount } from '../books/money.ts';
import { validationError } from './validation/messages.ts';

const SENTENCE = 'amount must be a positive decimal string with at most two places and eleven whole digits';

/** For routes whose table of errors has INVALID_AMOUNT. */
export const validAmount = (text: string): Amount => {
  const amount = parseAmount(text);
  if (amount === null) throw new DomainError('INVALID_AMOUNT', { details: { amount: text } });
  return amount;
};

/** For routes whose table of errors has none: the amount is then a field like any other. */
export const validField = (text: string): Amount => {
  const amount = parseAmount(text);
  if (amount === null) throw validationError([SENTENCE]);
  return amount;
};
