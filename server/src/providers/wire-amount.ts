// Amounts at the providers' wires: decimals of whole units, as text or as JSON numbers. Converted by their digits, never
// by arithmetic on a floating-point number; what would not arrive exactly is not sent.

import { type Amount, formatExact, fromUnits } from '../books/money.ts';

const PLACES = 7;
/** Every decimal of so many significant digits survives a double at the other end; of one more, not every one does. */
const DIGITS_MAX = 15;
const DECIMAL = /^(-?)(\d{1,30})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/;

/** An amount that cannot be said to a neighbour. The HTTP client answers it as a no, before anything is sent. */
export class Unsayable extends Error {}

/** Exact, at most seven places; null for anything else. A JSON number's own text may carry an exponent. */
export function parseDecimal(text: string): Amount | null {
  const match = DECIMAL.exec(text);
  if (!match) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent) + PLACES - fraction.length;
  const digits = BigInt(whole + fraction);
  if (shift >= 0) return signed(digits * 10n ** BigInt(shift), sign);
  const cut = 10n ** BigInt(-shift);
  return digits % cut === 0n ? signed(digits / cut, sign) : null;
}

const signed = (units: bigint, sign: string | undefined): Amount => fromUnits(sign === '-' ? -units : units);

/** The shortest decimal: "9.47", "10". */
export function formatDecimal(amount: Amount): string {
  return formatExact(amount).replace(/\.?0+$/, '');
}

declare const raw: unique symbol;
/** A number literal for JSON.stringify, which writes it as it is. */
export type JsonNumber = { readonly [raw]: true };

export function writeNumber(amount: Amount, { placesMax = PLACES }: { placesMax?: number } = {}): JsonNumber {
  const text = formatDecimal(amount);
  const [whole = '', fraction = ''] = text.split('.');
  if (fraction.length > placesMax) {
    throw new Unsayable(`${text} has more than ${placesMax} decimal places, which the provider does not take.`);
  }
  if ((whole + fraction).replace(/^-?0*/, '').length > DIGITS_MAX) {
    throw new Unsayable(`${text} has more than ${DIGITS_MAX} digits, which a JSON number does not carry exactly.`);
  }
  return rawJson(text);
}

/** Hundredths of a percent as a percentage: 550 is 5.5. */
export function writePercent(bps: number): JsonNumber {
  if (!Number.isInteger(bps) || bps < 0) throw new Unsayable(`${bps} is no whole number of hundredths of a percent.`);
  const text = `${Math.trunc(bps / 100)}.${String(bps % 100).padStart(2, '0')}`;
  return rawJson(text.replace(/\.?0+$/, ''));
}

// In the language since 2025, not yet in the checker's library.
const rawJson = (JSON as unknown as { rawJSON(text: string): JsonNumber }).rawJSON;
