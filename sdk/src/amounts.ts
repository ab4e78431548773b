// Amounts of money as exact decimal strings: checks, sums, comparisons and percentages without floats. A number is never accepted,
// because 0.1 + 0.2 is not 0.3 there.

/** An amount as the service shows it: a decimal string, such as `'40.00'`. Two places, or more when needed. */
export type Amount = `${number}`;

/** An amount as you write it: a positive decimal string with at most two places. `amount(text)` checks what people have typed. */
export type AmountInput = string;

/** All currencies have this many places inside the service. */
const PLACES = 7;
const UNIT = 10n ** BigInt(PLACES);
const SHOWN_PLACES = 2;
/** The limits of the service for an amount in a request. */
const WHOLE_DIGITS_MAX = 11;

const DECIMAL = /^([+-]?)(\d{1,30})(?:\.(\d{1,7}))?$/;

/** In units of 10^-7. Null when the text is not a decimal. */
const unitsIn = (text: string): bigint | null => {
  const match = DECIMAL.exec(text);
  if (!match) return null;
  const units = BigInt(match[2]! + (match[3] ?? '').padEnd(PLACES, '0'));
  return match[1] === '-' ? -units : units;
};

const shown = (value: unknown): string => (typeof value === 'string' ? `"${value.slice(0, 60)}"` : String(value));

const unitsOf = (value: string): bigint => {
  const units = typeof value === 'string' ? unitsIn(value) : null;
  if (units === null) throw new TypeError(`${shown(value)} is not a valid amount. ${hintFor(value)}`);
  return units;
};

/** What to do about a text that is not an amount. */
const hintFor = (value: unknown): string => {
  if (typeof value !== 'string') return `Pass a text, such as "40.00", and not a ${typeof value}.`;
  if (value.includes(',')) return 'Use a point for the decimals and no separator of thousands, as in "1500.50".';
  if (/[^\d.+-]/.test(value)) return 'Use digits and a point only, as in "25.00", without a currency or spaces.';
  return 'Write it as digits with a point, as in "25.00".';
};

/** Two places, or more when needed. */
const textOf = (units: bigint): Amount => {
  const whole = units < 0n ? -units : units;
  const places = String(whole % UNIT).padStart(PLACES, '0');
  const needed = places.replace(/0+$/, '').padEnd(SHOWN_PLACES, '0');
  return `${units < 0n ? '-' : ''}${whole / UNIT}.${needed}` as Amount;
};

/**
 * Checks a text as the service does, and returns it with two places: positive, at most two decimal places and eleven digits before them.
 * A text that is not valid is a TypeError that says what to change.
 *
 * @example
 * amount('40'); // '40.00'
 * amount('twenty'); // TypeError: "twenty" is not a valid amount. …
 */
export const amount = (text: string): Amount => {
  const units = unitsOf(text);
  const problem = problemOf(text, units);
  if (problem) throw new TypeError(`${shown(text)} is not a valid amount. ${problem}`);
  return textOf(units);
};

const problemOf = (text: string, units: bigint): string | null => {
  if (units <= 0n) return 'It must be more than 0.00.';
  if (text.startsWith('+')) return 'Leave out the sign.';
  if ((text.split('.')[1] ?? '').length > SHOWN_PLACES) return `It has more than ${SHOWN_PLACES} decimal places.`;
  if (text.split('.')[0]!.length > WHOLE_DIGITS_MAX)
    return `It has more than ${WHOLE_DIGITS_MAX} digits before the point.`;
  return null;
};

/** Whether `amount` accepts the text: for forms. */
export const isAmount = (text: unknown): text is Amount => {
  const units = typeof text === 'string' ? unitsIn(text) : null;
  return units !== null && problemOf(text as string, units) === null;
};

/** The sum; `'0.00'` of none. Negative amounts, as in statements, are accepted. */
export const addAmounts = (...amounts: readonly string[]): Amount =>
  textOf(amounts.reduce((sum, each) => sum + unitsOf(each), 0n));

/** The first amount minus the second. It may be negative. */
export const subtractAmounts = (from: string, amount: string): Amount => textOf(unitsOf(from) - unitsOf(amount));

/** -1, 0 or 1: the order of two amounts, also for `sort`. Texts compare wrongly: `'9.00' > '10.00'`. */
export const compareAmounts = (a: string, b: string): -1 | 0 | 1 => {
  const difference = unitsOf(a) - unitsOf(b);
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
};

/**
 * A percentage of an amount, exact to seven places; what is beyond is cut off. The percentage is a decimal string too.
 *
 * @example
 * percentOf('33.33', '5'); // '1.6665'
 */
export const percentOf = (amount: string, percent: string): Amount =>
  textOf((unitsOf(amount) * unitsOf(percent)) / (100n * UNIT));

/** The amount with two places. `down` cuts, as the service does where it shows a balance; `half-up` rounds 0.005 to 0.01. */
export const roundAmount = (amount: string, mode: 'down' | 'half-up' = 'down'): Amount => {
  const cent = 10n ** BigInt(PLACES - SHOWN_PLACES);
  const units = unitsOf(amount);
  const half = mode === 'half-up' ? cent / 2n : 0n;
  return textOf(((units < 0n ? units - half : units + half) / cent) * cent);
};

/** The amount in whole cents, for systems that count them. Throws a RangeError where cents cannot hold it. */
export const toCents = (amount: string): bigint => {
  const cent = 10n ** BigInt(PLACES - SHOWN_PLACES);
  const units = unitsOf(amount);
  if (units % cent !== 0n) throw new RangeError(`${shown(amount)} has more than two decimal places. Round it first.`);
  return units / cent;
};

/** The amount of whole cents. */
export const fromCents = (cents: bigint): Amount => {
  if (typeof cents !== 'bigint') throw new TypeError(`Pass a bigint, such as 4000n or BigInt(cents). It is ${cents}`);
  return textOf(cents * 10n ** BigInt(PLACES - SHOWN_PLACES));
};

/**
 * The amount for people, in the style of their language.
 *
 * @example
 * formatAmount('1234.50', { currency: 'USD', locale: 'en' }); // '$1,234.50'
 */
export const formatAmount = (amount: string, { currency, locale }: { currency: string; locale?: string }): string => {
  const text = textOf(unitsOf(amount));
  const digits = { minimumFractionDigits: SHOWN_PLACES, maximumFractionDigits: PLACES };
  // Only codes of three letters are known to the platform; USDC is not.
  const isKnown = /^[A-Z]{3}$/.test(currency) && currency !== 'XLM';
  const style = isKnown ? ({ style: 'currency', currency, ...digits } as const) : digits;
  // The platform reads a text exactly; only its older types ask for a number.
  const figures = new Intl.NumberFormat(locale, style).format(text as unknown as bigint);
  return isKnown ? figures : `${figures} ${currency}`;
};
