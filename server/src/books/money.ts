// Amounts: whole numbers of 10^-7 units, the smallest of the ledger network, for every currency. Only this file creates an amount
// from another type, so no float and no rounding can get into the books. The platform fee is computed here too.

declare const brand: unique symbol;

export type Amount = bigint & { readonly [brand]: 'Amount' };

const PLACES = 7;
const UNIT = 10n ** BigInt(PLACES);

/** 11 whole digits: with seven places an amount, and also a sum of balances, stays well inside PostgreSQL's bigint. */
const WIRE = /^(\d{1,11})(?:\.(\d{1,2}))?$/;

/** An account above this could overflow bigint when summed with others; 500 billion whole units. */
export const BALANCE_MAX = (500_000_000_000n * UNIT) as Amount;

export const ZERO = 0n as Amount;

/** Parses a positive decimal with at most two places. Null for anything else: each caller has its own error. */
export const parseAmount = (wire: string): Amount | null => {
  const match = WIRE.exec(wire);
  if (!match) return null;
  const amount = BigInt(match[1]! + (match[2] ?? '').padEnd(PLACES, '0'));
  return amount > 0n ? (amount as Amount) : null;
};

const EXACT = /^([+-]?)(\d{1,11})(?:\.(\d{1,7}))?$/;

/** Parses a decimal with at most seven places, which may be zero or negative. Null for anything else. */
export const parseExact = (text: string): Amount | null => {
  const match = EXACT.exec(text);
  if (!match) return null;
  const units = BigInt(match[2]! + (match[3] ?? '').padEnd(PLACES, '0'));
  return (match[1] === '-' ? -units : units) as Amount;
};

/** Without its sign. */
export const magnitudeOf = (amount: Amount): Amount => (amount < 0n ? negated(amount) : amount);

/** For an amount of the settings, which were checked when the process started. */
export const settingAmount = (text: string): Amount => {
  const amount = parseAmount(text);
  if (amount === null) throw new Error(`the setting ${text} is not an amount`);
  return amount;
};

/** From the database, which stores amounts in the same unit. */
export const fromUnits = (units: bigint): Amount => units as Amount;

export const plus = (a: Amount, b: Amount): Amount => (a + b) as Amount;

export const minus = (a: Amount, b: Amount): Amount => (a - b) as Amount;

export const negated = (amount: Amount): Amount => -amount as Amount;

export const least = (a: Amount, b: Amount): Amount => (a < b ? a : b);

/** Of a whole number of the last place that is shown. */
const digits = (shown: bigint, places: number): string => {
  const text = (shown < 0n ? -shown : shown).toString().padStart(places + 1, '0');
  return `${shown < 0n ? '-' : ''}${text.slice(0, -places)}.${text.slice(-places)}`;
};

const CENT_PLACES = 2;
const CENT = 10n ** BigInt(PLACES - CENT_PLACES);

/** Two places, cut off and never rounded up: a part of a cent is not shown. */
export const formatAmount = (amount: Amount): string =>
  // Most balances have nothing reserved.
  amount === 0n ? '0.00' : digits(amount / CENT, CENT_PLACES);

/** All seven places, for ledger balances and for proofs. */
export const formatExact = (amount: Amount): string => digits(amount, PLACES);

/** Cuts to whole cents, so that a total that is shown is the sum of the parts that are shown. */
export const wholeCents = (amount: Amount): Amount => (amount - (amount % CENT)) as Amount;

/** Half of it, cut to whole cents. */
export const halfOf = (amount: Amount): Amount => wholeCents(fromUnits(amount / 2n));

export const sumOf = (amounts: readonly Amount[]): Amount => amounts.reduce(plus, ZERO);

/** One whole in basis points, which are hundredths of a percent. */
const WHOLE_BPS = 10_000n;

export const DEFAULT_FEE_BPS = 500;
export const FEE_BPS_MAX = 9_900;

/** Amounts have two places and fees are whole basis points, so a fee is a whole number of 10^-7 units and nothing is rounded. */
export const platformFee = (amount: Amount, bps: number): Amount => fromUnits((amount * BigInt(bps)) / WHOLE_BPS);
