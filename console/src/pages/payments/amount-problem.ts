// What is wrong with a typed amount, said before the server has to. The server decides all the same.

import { amountOf, compare, formatAmount, parseAmount, type Units, ZERO } from '../../parts/amounts.ts';

type Bounds = { readonly min?: string | undefined; readonly max?: string | undefined; readonly places?: number };

/** The server takes eleven figures before the point. */
const LARGEST = '99999999999.99';

const named = (units: Units): string => formatAmount(units);

/** Undefined when it is an amount that can be sent. */
export const amountProblem = (text: string, { min, max = LARGEST, places = 2 }: Bounds = {}): string | undefined => {
  const units = parseAmount(text);
  const fraction = text.trim().split('.')[1] ?? '';
  if (units === null || fraction.length > places) {
    return `Write an amount such as 25.00: figures, a point, at most ${places} places.`;
  }
  if (compare(units, ZERO) <= 0) return 'The amount must be more than nothing.';
  if (min !== undefined && compare(units, amountOf(min)) < 0) return `At least ${named(amountOf(min))}.`;
  if (compare(units, amountOf(max)) > 0) return `At most ${named(amountOf(max))}.`;
  return undefined;
};
