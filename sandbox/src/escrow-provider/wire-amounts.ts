// Amounts on the provider's wire are JSON numbers of whole units. They are converted to 10^-7 by their digits, never by
// multiplication, and an amount with more than seven decimal places is refused.

import { formatAmount } from '../ledger-network/amounts.ts';

// null when it is not a number of at most seven decimal places. Negative numbers pass: the contract has its own message for them.
export function readNumber(value: unknown): bigint | null {
  const digits = typeof value === 'number' ? plainDigits(value) : typeof value === 'string' ? value.trim() : '';
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(digits);
  const places = parts?.[3]?.replace(/0+$/, '') ?? '';
  if (parts === null || places.length > 7) return null;
  const size = BigInt(parts[2]! + places.padEnd(7, '0'));
  return parts[1] === '-' ? -size : size;
}

export const writeNumber = (units: bigint): number => Number(formatAmount(units));

// The shortest digits of a double, without an exponent.
function plainDigits(value: number): string {
  if (!Number.isFinite(value)) return '';
  const [mantissa, exponent] = String(value).split('e');
  if (exponent === undefined) return mantissa!;
  const [whole, fraction = ''] = mantissa!.replace('-', '').split('.');
  const sign = value < 0 ? '-' : '';
  const shift = Number(exponent);
  if (shift < 0) return `${sign}0.${'0'.repeat(-shift - 1)}${whole}${fraction}`;
  return `${sign}${whole}${fraction.padEnd(shift, '0')}`;
}
