// Amounts are text on the wire and whole numbers here, seven places each; a float never sees one.

import { wrongUsage } from './failures.ts';

const PLACES = 7;

/** Of an option or an argument: looked at before anything is done, so that a mistyped one leaves nothing half way. */
export const checkedAmount = (text: string): string => {
  if (/^\d{1,15}(\.\d{1,7})?$/.test(text) && unitsOf(text) > 0n) return text;
  throw wrongUsage(`"${text}" is no amount. Write it like 25.00.`);
};

export const unitsOf = (amount: string): bigint => {
  const [, sign = '', whole = '', places = ''] = /^(-?)(\d+)(?:\.(\d{1,7}))?$/.exec(amount) ?? [];
  if (whole === '') throw new RangeError(`${amount} is no amount`);
  const units = BigInt(whole + places.padEnd(PLACES, '0'));
  return sign === '-' ? -units : units;
};

/** With two places, or as many as it has. */
export const amountOf = (units: bigint): string => {
  const digits = (units < 0n ? -units : units).toString().padStart(PLACES + 1, '0');
  const places = digits.slice(-PLACES).replace(/0+$/, '').padEnd(2, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -PLACES)}.${places}`;
};

export const sumOf = (amounts: readonly string[]): string =>
  amountOf(amounts.reduce((sum, amount) => sum + unitsOf(amount), 0n));

/** How many of so many cells an amount fills, beside the largest one; something is never nothing. */
export const cellsOf = (amount: string, { largest, cells }: { largest: bigint; cells: number }): number => {
  const units = unitsOf(amount);
  const size = units < 0n ? -units : units;
  if (size === 0n || largest === 0n) return 0;
  return Math.max(1, Number((size * BigInt(cells)) / largest));
};
