// Amounts: whole numbers of 10^-7 units, the ledger network's smallest, for every currency. Only this file makes one
// from anything else, so a number, a float or a rounding can never slip into the books.

declare const brand: unique symbol;

export type Amount = bigint & { readonly [brand]: 'Amount' };

const PLACES = 7;
const UNIT = 10n ** BigInt(PLACES);

/** 11 whole digits: with seven places it stays well inside PostgreSQL's bigint, sums of balances too. */
const WIRE = /^(\d{1,11})(?:\.(\d{1,2}))?$/;

/** An account above this could overflow bigint when summed with others; 500 billion whole units. */
export const BALANCE_MAX = (500_000_000_000n * UNIT) as Amount;

export const ZERO = 0n as Amount;

/** A positive decimal with at most two places; null for anything else, so that each caller refuses in its own words. */
export const parseAmount = (wire: string): Amount | null => {
  const match = WIRE.exec(wire);
  if (!match) return null;
  const amount = BigInt(match[1]!) * UNIT + BigInt((match[2] ?? '').padEnd(PLACES, '0'));
  return amount > 0n ? (amount as Amount) : null;
};

/** From the database, where amounts are kept in the same unit. */
export const fromUnits = (units: bigint): Amount => units as Amount;

export const plus = (a: Amount, b: Amount): Amount => (a + b) as Amount;

export const minus = (a: Amount, b: Amount): Amount => (a - b) as Amount;

export const negated = (amount: Amount): Amount => -amount as Amount;

export const least = (a: Amount, b: Amount): Amount => (a < b ? a : b);

const digits = (amount: bigint, places: number): string => {
  const sign = amount < 0n ? '-' : '';
  const shown = ((amount < 0n ? -amount : amount) / 10n ** BigInt(PLACES - places))
    .toString()
    .padStart(places + 1, '0');
  const text = `${shown.slice(0, -places)}.${shown.slice(-places)}`;
  return sign && /[1-9]/.test(text) ? sign + text : text;
};

/** Two places, cut off and never rounded up: we do not show a cent that is not whole. */
export const formatAmount = (amount: Amount): string => digits(amount, 2);

/** All seven places, for ledger balances and for proofs. */
export const formatExact = (amount: Amount): string => digits(amount, PLACES);

/** Cuts to whole cents, so that a shown total is the sum of its shown parts. */
export const wholeCents = (amount: Amount): Amount => (amount - (amount % 10n ** BigInt(PLACES - 2))) as Amount;
