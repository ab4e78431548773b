// The accounts of the books. Balances are signed so that the sum over all accounts of a currency is zero: claims (what we owe) are
// positive, holdings (what we have) are negative. The id of an account names its kind, so no table has to be read.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { Amount } from './money.ts';

type Side = 'claim' | 'holding';

export type Account = {
  readonly id: string;
  readonly side: Side;
  readonly currency: Currency;
  readonly userId: string | null;
  /** May be positive or negative: the counterpart of manual corrections and of opening balances. */
  readonly open: boolean;
};

const ofUser = (userId: string, { part, currency }: { part: string; currency: Currency }): Account => ({
  id: `${userId}:${part}:${currency}`,
  side: 'claim',
  currency,
  userId,
  open: false,
});

const accountsOf = (userId: string, currency: Currency) => ({
  userId,
  currency,
  available: ofUser(userId, { part: 'available', currency }),
  reserved: ofUser(userId, { part: 'reserved', currency }),
});

type UserAccounts = ReturnType<typeof accountsOf>;

let last: UserAccounts | null = null;

/** A command names the accounts of its user a dozen times, so the last ones are worth keeping. */
const lastAccountsOf = (userId: string, currency: Currency): UserAccounts => {
  if (last?.userId !== userId || last.currency !== currency) last = accountsOf(userId, currency);
  return last;
};

export const available = (userId: string, currency: Currency): Account => lastAccountsOf(userId, currency).available;

export const reserved = (userId: string, currency: Currency): Account => lastAccountsOf(userId, currency).reserved;

/** An account of the operator that may be negative; made once for each currency. */
const ofOperator = (part: string) => {
  const all = new Map<Currency, Account>();
  return (currency: Currency): Account => {
    const known = all.get(currency);
    if (known) return known;
    const id = `operator:${part}:${currency}`;
    const made: Account = { id, side: 'claim', currency, userId: null, open: true };
    all.set(currency, made);
    return made;
  };
};

export const adjustments = ofOperator('adjustments');

/** The counterpart of the balances that users brought from another system. Negative: what the operator still has to bring in. */
export const openingBalances = ofOperator('opening-balances');

/** A claim without a user as its owner. */
const sharedClaim = (id: string, currency: Currency): Account => ({
  id,
  side: 'claim',
  currency,
  userId: null,
  open: false,
});

/** The money in an order's escrow. It belongs neither to the buyer nor to the seller until the order is settled. */
export const orderEscrow = (orderId: string, currency: Currency): Account =>
  sharedClaim(`${orderId}:escrow:${currency}`, currency);

/** The fees that the platform has earned. */
export const platformFees = (currency: Currency): Account => sharedClaim(`platform:fees:${currency}`, currency);

/** Money that others paid into escrow contracts and that a settlement took out. It belongs to no order and to no user. */
export const escrowSurplus = (currency: Currency): Account =>
  sharedClaim(`operator:escrow-surplus:${currency}`, currency);

/** Payments of top-ups that had ended before. The operator decides about them, or the users are credited. */
export const lateTopups = (currency: Currency): Account => sharedClaim(`operator:late-topups:${currency}`, currency);

const holding = (id: string, currency: Currency): Account => ({
  id,
  side: 'holding',
  currency,
  userId: null,
  open: false,
});

/** The balance of one of our addresses on the ledger, in the currency that it backs. */
export const walletHolding = (address: string, currency: Currency): Account =>
  holding(`wallet:${address}:${currency}`, currency);

/** The balance of a deployed escrow contract. */
export const contractHolding = (contractId: string, currency: Currency): Account =>
  holding(`contract:${contractId}:${currency}`, currency);

const placeOf = (account: string | null, currency: Currency): string =>
  account === null ? currency : `${account}:${currency}`;

/**
 * Our balance at the payment provider. Without an account it is the shared one: the provider has one balance, and the books divide it
 * by marketplace and currency. An own account of a marketplace has its own balance.
 */
export const paymentFloat = (currency: Currency, account: string | null = null): Account =>
  holding(`payment-float:${placeOf(account, currency)}`, currency);

/** Paid by the payment provider from the balance of others: another marketplace, another currency or the operator. */
export const floatOwed = (currency: Currency, account: string | null = null): Account =>
  sharedClaim(`payment-float-owed:${placeOf(account, currency)}`, currency);

/** Fees that the network or the escrow protocol took for our transactions. The money is spent; the books record it. */
export const networkFees = (currency: Currency): Account => holding(`network:fees:${currency}`, currency);

/** True when the account may not hold this balance. The database checks the same. */
export const isOverdrawn = (account: Account, balance: bigint): boolean =>
  !account.open && (account.side === 'claim' ? balance < 0n : balance > 0n);

export type Balance = {
  readonly userId: string;
  readonly currency: Currency;
  readonly available: Amount;
  readonly reserved: Amount;
  readonly updatedAt: string;
};
