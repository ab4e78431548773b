// Validates a typed amount before it is sent. The server validates it again.

import { amountOf, compare, formatAmount, parseAmount, type Units, ZERO } from '../../parts/amounts.ts';

type Bounds = { readonly min?: string | undefined; readonly max?: string | undefined; readonly places?: number };

/** The server accepts eleven digits before the point. */
const LARGEST = '99999999999.99';

const named = (units: Units): string => formatAmount(units);

/** Undefined for a valid amount. */
export const amountProblem = (text: string, { min, max = LARGEST, places = 2 }: Bounds = {}): string | undefined => {
  const units = parseAmount(text);
  const fraction = text.trim().split('.')[1] ?? '';
  if (units === null || fraction.length > places) {
    return `Enter an amount such as 25.00, with at most ${places} decimals.`;
  }
  if (compare(units, ZERO) <= 0) return 'The amount must be greater than zero.';
  if (min !== undefined && compare(units, amountOf(min)) < 0) return `The minimum is ${named(amountOf(min))}.`;
  if (compare(units, amountOf(max)) > 0) return `The maximum is ${named(amountOf(max))}.`;
  return undefined;
};
