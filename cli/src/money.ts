// Amounts are text on the wire and whole numbers of seven decimal places here, never floats.

import { wrongUsage } from './failures.ts';

const PLACES = 7;

/** Checks an amount of an option or argument before anything is written, so that a mistyped amount leaves no partial result. */
export const checkedAmount = (text: string): string => {
  if (/^\d{1,15}(\.\d{1,2})?$/.test(text) && unitsOf(text) > 0n) return text;
  throw wrongUsage(
    `"${text}" is not a valid amount. Write it like 25.00: above zero, with at most two decimal places.`,
  );
};

export const unitsOf = (amount: string): bigint => {
  const [, sign = '', whole = '', places = ''] = /^(-?)(\d+)(?:\.(\d{1,7}))?$/.exec(amount) ?? [];
  if (whole === '') throw new RangeError(`${amount} is not a valid amount`);
  const units = BigInt(whole + places.padEnd(PLACES, '0'));
  return sign === '-' ? -units : units;
};

/** With two decimal places, or more when needed. */
export const amountOf = (units: bigint): string => {
  const digits = (units < 0n ? -units : units).toString().padStart(PLACES + 1, '0');
  const places = digits.slice(-PLACES).replace(/0+$/, '').padEnd(2, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -PLACES)}.${places}`;
};

export const sumOf = (amounts: readonly string[]): string =>
  amountOf(amounts.reduce((sum, amount) => sum + unitsOf(amount), 0n));

/** How many of the cells an amount fills, relative to the largest amount. An amount above zero fills at least one cell. */
export const cellsOf = (amount: string, { largest, cells }: { largest: bigint; cells: number }): number => {
  const units = unitsOf(amount);
  const size = units < 0n ? -units : units;
  if (size === 0n || largest === 0n) return 0;
  return Math.max(1, Number((size * BigInt(cells)) / largest));
};
