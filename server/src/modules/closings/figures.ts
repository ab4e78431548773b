// The figures of a closing: the users' money at its beginning and its end, what came in and went out between, the fees, and where the money
// is at the end. Users' money is what they can spend, what is reserved for them, and what is in the escrow of orders. The figures are added
// up from the postings.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { Transfer } from '../exports/transfer.ts';

/** Whose money it is: what users can spend, what is reserved, and what is in escrow; in units. */
export type Owned = { readonly available: bigint; readonly reserved: bigint; readonly inEscrow: bigint };

/** Where the money is: at our addresses on the ledger, in escrow contracts, and at the payment provider; in units. */
export type Assets = { readonly wallets: bigint; readonly contracts: bigint; readonly provider: bigint };

/** What the platform paid for the fees that it earned. */
export type FeeCosts = {
  /** Fees that went back into the escrow of an order by a correction. */
  readonly reversed: bigint;
  readonly network: bigint;
  readonly provider: bigint;
};

export type Figures = {
  readonly currency: Currency;
  readonly opening: Owned;
  readonly in: bigint;
  readonly out: bigint;
  /** The part of `out` that the platform kept. */
  readonly fees: bigint;
  /** Null: an earlier version sealed the month without it. */
  readonly costs: FeeCosts | null;
  readonly closing: Owned;
  /** At the end. Null: an earlier version sealed the month without it. */
  readonly assets: Assets | null;
};

const NOTHING: Owned = { available: 0n, reserved: 0n, inEscrow: 0n };
export const NO_ASSETS: Assets = { wallets: 0n, contracts: 0n, provider: 0n };
const NO_COSTS: FeeCosts = { reversed: 0n, network: 0n, provider: 0n };

export const totalOf = ({ available, reserved, inEscrow }: Owned): bigint => available + reserved + inEscrow;

type Part = keyof Owned;

/** The part of the users' money that an account is; null: it is the money of others. */
const partOf = (accountId: string): Part | null => {
  if (accountId.startsWith('usr_')) return accountId.includes(':available:') ? 'available' : 'reserved';
  return accountId.startsWith('ord_') ? 'inEscrow' : null;
};

const FEE = 'platform_fee';
const FEE_REVERSAL = 'platform_fee_reversal';
const PROVIDER_FEE = 'payment_fee';

/** The names of these accounts begin with their kind. */
export const ASSET_KINDS: Readonly<Record<string, keyof Assets>> = {
  wallet: 'wallets',
  contract: 'contracts',
  'payment-float': 'provider',
};

const kindOf = (accountId: string): string => accountId.slice(0, accountId.indexOf(':'));

type Change = { readonly place: keyof Assets | undefined; readonly by: bigint };

const placed = (assets: Assets, { place, by }: Change): Assets =>
  place === undefined ? assets : { ...assets, [place]: assets[place] + by };

/** Holdings are negative, so money that is posted from a place enters it. */
const assetsAfter = (assets: Assets, { from, to, amount }: Transfer): Assets =>
  placed(placed(assets, { place: ASSET_KINDS[kindOf(from)], by: amount }), {
    place: ASSET_KINDS[kindOf(to)],
    by: -amount,
  });

const costOf = ({ from, move }: Transfer): keyof FeeCosts | null => {
  if (move === FEE_REVERSAL) return 'reversed';
  if (kindOf(from) !== 'network') return null;
  return move === PROVIDER_FEE ? 'provider' : 'network';
};

const costsAfter = (costs: FeeCosts, transfer: Transfer): FeeCosts => {
  const cost = costOf(transfer);
  return cost === null ? costs : { ...costs, [cost]: costs[cost] + transfer.amount };
};

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
    costs: figures.costs && costsAfter(figures.costs, transfer),
    assets: figures.assets && assetsAfter(figures.assets, transfer),
    closing: changed(changed(figures.closing, { part: from, by: -amount }), { part: to, by: amount }),
  };
};

type Closed = Pick<Figures, 'currency' | 'closing' | 'assets'>;

/** A period that opens where another has closed, before its first posting. */
export const begin = ({ currency, closing, assets }: Closed): Figures => ({
  currency,
  opening: closing,
  in: 0n,
  out: 0n,
  fees: 0n,
  costs: NO_COSTS,
  closing,
  assets,
});

/** A currency without postings before. */
export const beginNew = (currency: Currency, assets: Assets = NO_ASSETS): Figures =>
  begin({ currency, closing: NOTHING, assets });

/** Adds postings up, period by period. */
export const createTally = (before: readonly Closed[] = []) => {
  const all = new Map<Currency, Figures>(before.map((each) => [each.currency, begin(each)]));
  return {
    take(transfer: Transfer): void {
      const currency = currencyOf(transfer.to);
      all.set(currency, taken(all.get(currency) ?? beginNew(currency), transfer));
    },
    /** The figures so far; the next period opens where they close. */
    close(): Figures[] {
      const figures = [...all.values()].toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
      for (const each of figures) all.set(each.currency, begin(each));
      return figures;
    },
  };
};
