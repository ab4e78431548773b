// Amounts of a source. Holdfast takes at most two decimal places over its API, so an amount with more is a problem and is never rounded.

import { unitsOf } from '../money.ts';

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
const WHOLE_DIGITS_MAX = 11;
const PLACES_MAX = 7;
const WIRE_PLACES_MAX = 2;

export type ReadAmount = { readonly units: bigint } | { readonly problem: string };

/** Zero is allowed: a balance may be empty. */
export const readAmount = (text: string | null): ReadAmount => {
  const [, sign, whole = '', places = ''] = DECIMAL.exec(text ?? '') ?? [];
  if (whole === '') return { problem: `"${text ?? ''}" is not an amount` };
  if (sign === '-' && /[1-9]/.test(whole + places)) return { problem: `${text} is negative` };
  const digits = whole.replace(/^0+(?=\d)/, '');
  if (digits.length > WHOLE_DIGITS_MAX) return { problem: `${text} has more than ${WHOLE_DIGITS_MAX} whole digits` };
  const significant = places.replace(/0+$/, '');
  if (significant.length > PLACES_MAX) return { problem: `${text} has more than seven decimal places` };
  if (significant.length > WIRE_PLACES_MAX) {
    return { problem: `${text} has more than two decimal places, and a balance is credited in whole cents` };
  }
  return { units: unitsOf(significant === '' ? digits : `${digits}.${significant}`) };
};
