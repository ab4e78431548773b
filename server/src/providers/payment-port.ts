// The payment provider as the rest of the server sees it: money in (payins), money out (payouts), and its users.

import type { Answer } from '../base/answer.ts';
import type { Amount } from '../books/money.ts';
import type { Priority } from './waiting-line.ts';

export type PayinState =
  | 'TOPUP_AWAITING_USER_CONFIRMATION'
  | 'TOPUP_PROCESSING'
  | 'TOPUP_SUCCEEDED'
  | 'TOPUP_FAILED'
  | 'TOPUP_CANCELED';

export type PayoutState =
  | 'WITHDRAWAL_CREATED'
  | 'WITHDRAWAL_COMMITTED'
  | 'WITHDRAWAL_PENDING'
  | 'WITHDRAWAL_PENDING_USER_ACTION'
  | 'WITHDRAWAL_COMPLETED'
  | 'WITHDRAWAL_FAILED'
  | 'WITHDRAWAL_CANCELED';

export type Payin = {
  readonly id: string;
  /** Our top-up's id. */
  readonly code: string;
  readonly state: PayinState;
  readonly amount: Amount;
  readonly fee: Amount | null;
  /** The page that the payer is sent to. */
  readonly payerUrl: string;
  readonly reason: string | null;
};

export type Payout = {
  readonly id: string;
  /** Our withdrawal's id; null for a payout that was created elsewhere. */
  readonly code: string | null;
  readonly state: PayoutState;
  readonly amount: Amount;
  readonly fee: Amount | null;
  readonly reasonCode: string | null;
  readonly reason: string | null;
};

/** A payout in the provider's list. */
export type ListedPayout = Payout & {
  /** The account that was paid; null when the provider does not name it. */
  readonly email: string | null;
  readonly createdAt: string;
};

export type NewPayin = {
  readonly code: string;
  readonly amount: Amount;
  readonly description: string;
  readonly returnUrl: string;
  readonly cancelUrl: string;
};

export type NewPayout = {
  readonly code: string;
  readonly amount: Amount;
  readonly email: string;
  readonly notes: string;
  readonly commit: boolean;
};

export type PaymentUser = {
  readonly id: string;
  /** Null: the account was looked up by its id, and the provider does not name its e-mail. */
  readonly email: string | null;
  readonly isActive: boolean;
  readonly isVerified: boolean;
};

export type PaymentProvider = {
  /** The code makes a repeated request safe: an existing payin with the same amount is the yes. */
  createPayin(payin: NewPayin): Promise<Answer<Payin>>;
  getPayin(id: string): Promise<Answer<Payin | null>>;
  findPayinByCode(code: string): Promise<Answer<Payin | null>>;
  /** Yes also when the payin was cancelled before. */
  cancelPayin(id: string): Promise<Answer<Payin>>;
  createPayout(payout: NewPayout): Promise<Answer<Payout>>;
  /** Yes also when the payout was committed before. */
  commitPayout(id: string): Promise<Answer<null>>;
  cancelPayout(id: string): Promise<Answer<Payout>>;
  getPayout(id: string): Promise<Answer<Payout | null>>;
  findPayoutByCode(code: string): Promise<Answer<Payout | null>>;
  /** Newest first. `next` is the cursor of the next page, null on the last one. */
  listPayouts(page: {
    cursor: string | null;
  }): Promise<Answer<{ readonly payouts: readonly ListedPayout[]; readonly next: string | null }>>;
  /** By e-mail. Not every provider also finds an account by its id. */
  getUser(account: string): Promise<Answer<PaymentUser | null>>;
  balance(): Promise<Answer<{ available: Amount; pending: Amount }>>;
  /** The account that the credentials belong to. */
  account(): Promise<Answer<{ readonly id: string }>>;
  /** The same provider, for requests that wait behind those of a higher priority. */
  withPriority(priority: Priority): PaymentProvider;
  /** The same provider, for requests that count for this marketplace: one marketplace cannot use the provider's whole rate. */
  forMarketplace(marketplaceId: string): PaymentProvider;
};

/** The credentials that a payment began with. Null: those of the account that all marketplaces share. */
export type PaymentPlace = { readonly marketplaceId: string; readonly credentialsId: string | null };

/** The accounts at the payment provider. Null instead of a provider: none is set. */
export type PaymentAccounts = {
  /** With the credentials that a payment began with. */
  of(place: PaymentPlace): Promise<PaymentProvider | null>;
  /** With the credentials that new payments of the marketplace get. */
  current(marketplaceId: string): Promise<PaymentProvider | null>;
};

/** A webhook of the payment provider, in either of its two spellings. */
export type PaymentEvent =
  | ({ readonly kind: 'payin'; readonly state: PayinState } & PaymentEventData)
  | ({ readonly kind: 'payout'; readonly state: PayoutState } & PaymentEventData)
  /** An unknown type: acknowledge it and do nothing. */
  | { readonly kind: 'other'; readonly eventId: string; readonly type: string };

export type PaymentEventData = {
  readonly eventId: string;
  readonly type: string;
  readonly occurredAt: string | null;
  /** The provider's id. */
  readonly id: string;
  /** Our id. */
  readonly code: string | null;
  readonly amount: Amount | null;
  readonly reasonCode: string | null;
  readonly reason: string | null;
};
