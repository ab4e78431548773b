// Amounts in the browser: whole units of 10^-7 as bigint, as on the server. Input and output are text, and no step uses
// a float. `shareOf` is for lengths on the screen only.

declare const units: unique symbol;

/** An amount in units of 10^-7 of its currency. */
export type Units = bigint & { readonly [units]: true };

const PLACES = 7;
const ONE = 10_000_000n;
const CENT = 100_000n;
const BPS = 10_000n;

const asUnits = (value: bigint): Units => value as Units;

export const ZERO = asUnits(0n);

/** `1234.5`, `1,234.5`, `.5` or `-3` to units; null for any other text: a plus, a misplaced comma, 13 digits. */
export const parseAmount = (text: string): Units | null => {
  const match = /^(-?)(\d{1,12})(?:\.(\d{1,7}))?$/.exec(plainAmount(text));
  return match && unitsIn(match);
};

/** The format of a request: without thousands separators, and with a digit before the point. */
export const plainAmount = (text: string): string => {
  const typed = text.trim();
  const plain = /^-?\d{1,3}(,\d{3})+(\.\d*)?$/.test(typed) ? typed.replaceAll(',', '') : typed;
  return plain.replace(/^(-?)\.(?=\d)/, '$10.');
};

/** Parses an amount of the server. A total may have more digits than a typed amount. */
export const amountOf = (text: string | null | undefined): Units => {
  const match = /^(-?)(\d+)(?:\.(\d{1,7}))?$/.exec(text ?? '0');
  // A zero in place of an unreadable amount would be wrong.
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

/** A share in hundredths of a percent, truncated to a whole unit as on the server. */
export const partOf = (amount: Units, bps: bigint): Units => asUnits((amount * bps) / BPS);

/** The share in whole cents, for requests. */
export const centsPartOf = (amount: Units, bps: bigint): Units => toCents(partOf(amount, bps));

/** Truncates to whole cents. */
export const toCents = (amount: Units): Units => asUnits((amount / CENT) * CENT);

/** Two decimals, and more only for fractions of a cent. */
export const placesOf = (...amounts: readonly Units[]): number =>
  Math.max(2, ...amounts.map((each) => decimal(each, PLACES).replace(/0+$/, '').split('.')[1]!.length));

/** For requests: no grouping, two decimals. */
export const toWire = (amount: Units): string => decimal(amount, 2);

type Format = { readonly places?: number; readonly sign?: boolean };

/** For display: grouped and truncated, as on the server. */
export const formatAmount = (amount: Units, { places = 2, sign = false }: Format = {}): string => {
  const [whole, fraction] = decimal(amount < 0n ? negate(amount) : amount, places).split('.') as [string, string?];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const lead = amount < 0n ? '\u2212' : sign && amount > 0n ? '+' : '';
  return lead + grouped + (fraction === undefined ? '' : `.${fraction}`);
};

/** Thousandths of the total, from 0 to 1000, for the length of a bar. */
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

type Bounds = { readonly min?: string | undefined; readonly max?: string | undefined; readonly places?: number };

/** The server accepts eleven digits before the point. */
const LARGEST = '99999999999.99';

const named = (units: Units): string => formatAmount(units);

/** Why a typed amount is invalid; undefined for a valid one. The server validates it again. */
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
