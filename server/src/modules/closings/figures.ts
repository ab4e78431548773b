// The figures of a closing: the users' money at its beginning and its end, and what came in and went out between. Users' money is what
// they can spend, what is reserved for them, and what is in the escrow of orders. The figures are added up from the postings.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { Transfer } from '../exports/transfer.ts';

/** Whose money it is: what users can spend, what is reserved, and what is in escrow; in units. */
export type Owned = { readonly available: bigint; readonly reserved: bigint; readonly inEscrow: bigint };

export type Figures = {
  readonly currency: Currency;
  readonly opening: Owned;
  readonly in: bigint;
  readonly out: bigint;
  /** The part of `out` that the platform kept. */
  readonly fees: bigint;
  readonly closing: Owned;
};

const NOTHING: Owned = { available: 0n, reserved: 0n, inEscrow: 0n };

export const totalOf = ({ available, reserved, inEscrow }: Owned): bigint => available + reserved + inEscrow;

type Part = keyof Owned;

/** The part of the users' money that an account is; null: it is the money of others. */
const partOf = (accountId: string): Part | null => {
  if (accountId.startsWith('usr_')) return accountId.includes(':available:') ? 'available' : 'reserved';
  return accountId.startsWith('ord_') ? 'inEscrow' : null;
};

const FEE = 'platform_fee';

const currencyOf = (accountId: string): Currency => accountId.slice(accountId.lastIndexOf(':') + 1) as Currency;

const changed = (owned: Owned, { part, by }: { part: Part | null; by: bigint }): Owned =>
  part === null ? owned : { ...owned, [part]: owned[part] + by };

const taken = (figures: Figures, transfer: Transfer): Figures => {
  const from = partOf(transfer.from);
  const to = partOf(transfer.to);
  const { amount, move } = transfer;
  return {
    ...figures,
    in: from === null && to !== null ? figures.in + amount : figures.in,
    out: from !== null && to === null ? figures.out + amount : figures.out,
    fees: move === FEE ? figures.fees + amount : figures.fees,
    closing: changed(changed(figures.closing, { part: from, by: -amount }), { part: to, by: amount }),
  };
};

type Closed = Pick<Figures, 'currency' | 'closing'>;

/** A period that opens where another has closed, before its first posting. */
export const begin = ({ currency, closing }: Closed): Figures => ({
  currency,
  opening: closing,
  in: 0n,
  out: 0n,
  fees: 0n,
  closing,
});

/** Adds postings up, period by period. */
export const createTally = (before: readonly Closed[] = []) => {
  const all = new Map<Currency, Figures>(before.map((each) => [each.currency, begin(each)]));
  return {
    take(transfer: Transfer): void {
      if (partOf(transfer.from) === null && partOf(transfer.to) === null) return;
      const currency = currencyOf(transfer.to);
      all.set(currency, taken(all.get(currency) ?? begin({ currency, closing: NOTHING }), transfer));
    },
    /** The figures so far; the next period opens where they close. */
    close(): Figures[] {
      const figures = [...all.values()].toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
      for (const each of figures) all.set(each.currency, begin(each));
      return figures;
    },
  };
};
