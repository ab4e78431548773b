// Money in the browser: whole units of 10^-7 as bigint, as the server keeps it. Text comes in, text goes out, and nothing
// between is ever a float. `shareOf` is for lengths on the screen only.

declare const units: unique symbol;

/** An amount in units of 10^-7 of its currency. */
export type Units = bigint & { readonly [units]: true };

const PLACES = 7;
const ONE = 10_000_000n;
const CENT = 100_000n;
const BPS = 10_000n;

const asUnits = (value: bigint): Units => value as Units;

export const ZERO = asUnits(0n);

/** `1234.5`, `1,234.5`, `.5` or `-3` to units; null when it is no amount: a plus, a misplaced comma, 13 digits. */
export const parseAmount = (text: string): Units | null => {
  const match = /^(-?)(\d{1,12})(?:\.(\d{1,7}))?$/.exec(plainAmount(text));
  return match && unitsIn(match);
};

/** As a request has it: without the commas between thousands, and with a figure before the point. */
export const plainAmount = (text: string): string => {
  const typed = text.trim();
  const plain = /^-?\d{1,3}(,\d{3})+(\.\d*)?$/.test(typed) ? typed.replaceAll(',', '') : typed;
  return plain.replace(/^(-?)\.(?=\d)/, '$10.');
};

/** An amount that the server gave: it always is one, and a sum may be longer than what anybody may type. */
export const amountOf = (text: string | null | undefined): Units => {
  const match = /^(-?)(\d+)(?:\.(\d{1,7}))?$/.exec(text ?? '0');
  // Shown as nothing, it would be a lie about money.
  if (!match) throw new RangeError(`The server gave “${text}” as an amount.`);
  return unitsIn(match);
};

const unitsIn = ([, sign, whole, fraction = '']: RegExpExecArray): Units => {
  const value = BigInt(whole!) * ONE + BigInt(fraction.padEnd(PLACES, '0'));
  return asUnits(sign === '-' ? -value : value);
};

export const add = (...amounts: readonly Units[]): Units =>
  asUnits(amounts.reduce<bigint>((sum, each) => sum + each, 0n));

export const subtract = (from: Units, amount: Units): Units => asUnits(from - amount);

export const negate = (amount: Units): Units => asUnits(-amount);

export const compare = (one: Units, other: Units): -1 | 0 | 1 => (one < other ? -1 : one > other ? 1 : 0);

export const larger = (one: Units, other: Units): Units => (one > other ? one : other);

/** A part in hundredths of a percent, truncated to a whole unit as the server does. */
export const partOf = (amount: Units, bps: bigint): Units => asUnits((amount * bps) / BPS);

/** The part in whole cents, for amounts that a request will carry. */
export const centsPartOf = (amount: Units, bps: bigint): Units => toCents(partOf(amount, bps));

/** Cuts off everything below a cent. */
export const toCents = (amount: Units): Units => asUnits((amount / CENT) * CENT);

/** Two, or all seven where there is something below a cent. */
export const placesOf = (...amounts: readonly Units[]): number =>
  amounts.every((each) => each % CENT === 0n) ? 2 : PLACES;

/** For requests: no grouping, two places. */
export const toWire = (amount: Units): string => decimal(amount, 2);

type Format = { readonly places?: number; readonly sign?: boolean };

/** For people: grouped, with as many places as asked for, truncated as the server does. */
export const formatAmount = (amount: Units, { places = 2, sign = false }: Format = {}): string => {
  const [whole, fraction] = decimal(amount < 0n ? negate(amount) : amount, places).split('.') as [string, string?];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const lead = amount < 0n ? '\u2212' : sign && amount > 0n ? '+' : '';
  return lead + grouped + (fraction === undefined ? '' : `.${fraction}`);
};

/** Thousandths of the whole, from 0 to 1000, for the length of a bar. */
export const shareOf = (part: Units, whole: Units): number => {
  if (whole <= 0n || part <= 0n) return 0;
  const share = (part * 1_000n) / whole;
  return Number(share > 1_000n ? 1_000n : share);
};

const decimal = (amount: bigint, places: number): string => {
  const positive = amount < 0n ? -amount : amount;
  const whole = (positive / ONE).toString();
  const fraction = (positive % ONE).toString().padStart(PLACES, '0').slice(0, places);
  return `${amount < 0n ? '-' : ''}${whole}${places === 0 ? '' : `.${fraction}`}`;
};
