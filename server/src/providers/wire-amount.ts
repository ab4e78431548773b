// Amounts as the providers send and expect them: decimals of whole units, as text or as JSON numbers. Converted by their digits,
// never by floating-point arithmetic; an amount that would not arrive exactly is not sent.

import { type Amount, formatExact, fromUnits } from '../books/money.ts';

const PLACES = 7;
/** Every decimal of this many significant digits survives a double at the other end; with one digit more, some do not. */
const DIGITS_MAX = 15;
const DECIMAL = /^(-?)(\d{1,30})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/;

/** An amount that cannot be sent to a provider exactly. The HTTP client answers with a no before anything is sent. */
export class UnsendableAmount extends Error {}

/** Exact, with at most seven decimal places; null for anything else. The text of a JSON number may carry an exponent. */
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
/** A number literal that JSON.stringify writes unchanged. */
type JsonNumber = { readonly [raw]: true };

export function writeNumber(amount: Amount, { placesMax = PLACES }: { placesMax?: number } = {}): JsonNumber {
  const text = formatDecimal(amount);
  const [whole = '', fraction = ''] = text.split('.');
  if (fraction.length > placesMax) {
    throw new UnsendableAmount(
      `${text} has more than ${placesMax} decimal places, which the provider does not accept.`,
    );
  }
  if ((whole + fraction).replace(/^-?0*/, '').length > DIGITS_MAX) {
    throw new UnsendableAmount(
      `${text} has more than ${DIGITS_MAX} digits, which a JSON number cannot represent exactly.`,
    );
  }
  return rawJson(text);
}

/** Hundredths of a percent as a percentage: 550 is 5.5. */
export function writePercent(bps: number): JsonNumber {
  if (!Number.isInteger(bps) || bps < 0)
    throw new UnsendableAmount(`${bps} is not a whole number of hundredths of a percent.`);
  const text = `${Math.trunc(bps / 100)}.${String(bps % 100).padStart(2, '0')}`;
  return rawJson(text.replace(/\.?0+$/, ''));
}

// Part of the language since 2025, but not yet in the library of the type checker.
const rawJson = (JSON as unknown as { rawJSON(text: string): JsonNumber }).rawJSON;
