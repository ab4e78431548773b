// Amounts as the JSON numbers of Surface B. A number is only converted to its shortest decimal text, or made from one; no arithmetic is
// done with it.

import { type Amount, formatAmount, parseAmount } from '../../../books/money.ts';

/** Null: not positive, more than two places, or too large. */
export const readNumber = (value: number): Amount | null => parseAmount(String(value));

/** For a number that the check of the request has accepted. */
export const amountOf = (value: number): Amount => {
  const amount = readNumber(value);
  if (amount === null) throw new Error('an amount came past the check of its request');
  return amount;
};

/** Two places, cut off. */
export const showNumber = (amount: Amount): number => Number(formatAmount(amount));
