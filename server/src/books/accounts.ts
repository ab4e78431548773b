// The accounts of the books. Balances are signed so that the sum over all accounts of a currency is zero: claims (what we
// owe) are positive, holdings (what we have) negative. Ids say what they are, so no table has to be asked.

import type { Currency } from '@holdfast/contract/currencies.ts';

export type Side = 'claim' | 'holding';

export type Account = {
  readonly id: string;
  readonly side: Side;
  readonly currency: Currency;
  readonly userId: string | null;
  /** May be on either side of zero: the counterpart of manual corrections. */
  readonly open: boolean;
};

const ofUser = (userId: string, part: string, currency: Currency): Account => ({
  id: `${userId}:${part}:${currency}`,
  side: 'claim',
  currency,
  userId,
  open: false,
});

export const available = (userId: string, currency: Currency): Account => ofUser(userId, 'available', currency);

export const reserved = (userId: string, currency: Currency): Account => ofUser(userId, 'reserved', currency);

export const adjustments = (currency: Currency): Account => ({
  id: `operator:adjustments:${currency}`,
  side: 'claim',
  currency,
  userId: null,
  open: true,
});

const ofNobody = (id: string, currency: Currency): Account => ({
  id,
  side: 'claim',
  currency,
  userId: null,
  open: false,
});

/** What lies in an order's escrow: neither the buyer's nor the seller's until it is settled. */
export const orderEscrow = (orderId: string, currency: Currency): Account =>
  ofNobody(`${orderId}:escrow:${currency}`, currency);

/** What the platform has earned. */
export const platformFees = (currency: Currency): Account => ofNobody(`platform:fees:${currency}`, currency);

const holding = (id: string, currency: Currency): Account => ({
  id,
  side: 'holding',
  currency,
  userId: null,
  open: false,
});

/** What lies at an address of ours on the ledger, in the currency it is held for. */
export const walletHolding = (address: string, currency: Currency): Account =>
  holding(`wallet:${address}:${currency}`, currency);

/** What a deployed escrow contract holds. */
export const contractHolding = (contractId: string, currency: Currency): Account =>
  holding(`contract:${contractId}:${currency}`, currency);

/** What lies at the payment provider: one balance there, kept apart here by marketplace and currency. */
export const paymentFloat = (currency: Currency): Account => holding(`payment-float:${currency}`, currency);

/** Paid at the payment provider out of what others have there: another marketplace, another currency, the operator. */
export const floatOwed = (currency: Currency): Account => ofNobody(`payment-float-owed:${currency}`, currency);

/** What the network, or the escrow provider's protocol, took for carrying our transactions: spent, but ours to explain. */
export const networkFees = (currency: Currency): Account => holding(`network:fees:${currency}`, currency);

/** True when the account may not hold this balance. The database checks the same. */
export const isOverdrawn = (account: Account, balance: bigint): boolean =>
  !account.open && (account.side === 'claim' ? balance < 0n : balance > 0n);
