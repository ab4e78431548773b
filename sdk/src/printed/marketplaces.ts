// What these routes take and give.
// Printed from contract/src/api/marketplaces.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

import type { Amount } from '../amounts.ts';
import type { CurrencyCode } from './fields.ts';

/** The float of the marketplace at the payment provider. */
export type Float = {
  /** Currency of the payment provider's balance. */
  currency: 'USD';
  /**
   * Money of the marketplace at the payment provider. Below zero when it used its credit line. Decimal string with two
   * decimal places.
   */
  held: Amount;
  /**
   * The operator's part, which can be taken back: what was allotted, less what payouts have used. Payouts use the
   * deposits first. Decimal string with two decimal places.
   */
  allotted: Amount;
  /** Open withdrawals that the payment provider pays. Decimal string with two decimal places. */
  pendingPayouts: Amount;
  /** How far below zero the operator lets the float go. Decimal string with two decimal places. */
  creditLine: Amount;
  /** How much of the credit line the paid and the open withdrawals use. Decimal string with two decimal places. */
  creditUsed: Amount;
  /**
   * What may still be withdrawn: held, plus the credit line, less the open withdrawals. Decimal string with two decimal
   * places.
   */
  available: Amount;
};

export type FloatTransfer = {
  /** Id of the transfer; the postings in both marketplaces name it. */
  id: string;
  /** The marketplace that gave the float, or `payment-provider`. */
  from: string;
  /** The marketplace that received it, or `payment-provider`. */
  to: string;
  /** Amount of the transfer. Decimal string with two decimal places. */
  amount: Amount;
  /** Currency of the payment provider's balance. */
  currency: 'USD';
  /** When the first marketplace gave the float. */
  createdAt: string;
  /** When the other marketplace had it. Null while it is in transit. */
  arrivedAt: string | null;
  /** The float of the marketplace at the payment provider. */
  float: Float;
};

export type Marketplace = {
  /** Send it as `X-Marketplace-Id` to act in this marketplace. */
  id: string;
  /** When the first record of the marketplace was written. */
  createdAt: string;
  /** Number of users. */
  users: number;
  /** Number of orders. */
  orders: number;
  /** Number of API keys, including revoked ones. */
  keys: number;
  /** The float of the marketplace at the payment provider. */
  float: Float;
  /** The account at the payment provider for new payments; see `GET /marketplaces/{id}/payment-provider`. */
  paymentAccount: {
    /** `shared`: new payments use the account of the settings. `own`: they use an account of the marketplace. */
    account: 'shared' | 'own';
    /** When the current credentials of the own account were set. Null with the shared account. */
    since: string | null;
  };
  /** One entry for each currency that limits were set for. */
  limits: MarketplaceLimits[];
};

export type MarketplaceLimits = {
  /** The marketplace. */
  marketplaceId: string;
  /** Currency code. */
  currency: CurrencyCode;
  /**
   * The most that one user can be credited by hand in a day. Null: no limit. Decimal string with two decimal places.
   */
  manualCreditPerUserDay: Amount | null;
  /**
   * The most that all users together can be credited by hand in a day. Null: no limit. Decimal string with two decimal
   * places.
   */
  manualCreditPerDay: Amount | null;
  /** The most that one user can withdraw in a day. Null: no limit. Decimal string with two decimal places. */
  withdrawalPerUserDay: Amount | null;
  /** The most that all users together can withdraw in a day. Null: no limit. Decimal string with two decimal places. */
  withdrawalPerDay: Amount | null;
  /** What the marketplace has used since 00:00 UTC. Counting begins when the first limit is set. */
  usedToday: {
    /** Credited by hand today. Decimal string with two decimal places. */
    manualCredit: Amount;
    /** Withdrawn today, without withdrawals whose money has returned. Decimal string with two decimal places. */
    withdrawal: Amount;
    /** When the next day begins. */
    resetsAt: string;
  };
  /** When the limits were last set. */
  updatedAt: string;
};

export type AllotFloatInput = {
  /** Decimal string with at most two decimal places. A negative amount takes float back. */
  amount: string;
  /** Currency of the payment provider's balance. */
  currency: 'USD';
};

export type GetMarketplaceLimitsResult = {
  limits: MarketplaceLimits[];
};

export type ListMarketplacesQuery = {
  /** Page size. */
  limit?: number;
  /** The nextCursor of the previous page. */
  cursor?: string;
};

export type SetCreditLineInput = {
  /** Decimal string of at least 0.00 with at most two decimal places. */
  amount: string;
  /** Currency of the payment provider's balance. */
  currency: 'USD';
};

export type SetMarketplaceLimitsInput = {
  /** Currency code. */
  currency: CurrencyCode;
  /**
   * The most that one user can be credited by hand in a day. Decimal string with at most two decimal places; 0.00
   * forbids it. Null or left out: no limit.
   */
  manualCreditPerUserDay?: string | null;
  /**
   * The most that all users together can be credited by hand in a day. Decimal string with at most two decimal places;
   * 0.00 forbids it. Null or left out: no limit.
   */
  manualCreditPerDay?: string | null;
  /**
   * The most that one user can withdraw in a day. Decimal string with at most two decimal places; 0.00 forbids it. Null
   * or left out: no limit.
   */
  withdrawalPerUserDay?: string | null;
  /**
   * The most that all users together can withdraw in a day. Decimal string with at most two decimal places; 0.00
   * forbids it. Null or left out: no limit.
   */
  withdrawalPerDay?: string | null;
};
