// What these routes take and give.
// Printed from contract/src/api/marketplaces.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

/** The float of the marketplace at the payment provider. */
export type Float = {
  /** Currency of the payment provider's balance. */
  currency: 'USD';
  /**
   * Money of the marketplace at the payment provider. Below zero when it used its credit line. Decimal string with two
   * decimal places.
   */
  held: string;
  /** What the operator allotted to the marketplace and did not take back. Decimal string with two decimal places. */
  allotted: string;
  /** Open withdrawals that the payment provider pays. Decimal string with two decimal places. */
  pendingPayouts: string;
  /** How far below zero the operator lets the float go. Decimal string with two decimal places. */
  creditLine: string;
  /** How much of the credit line the paid and the open withdrawals use. Decimal string with two decimal places. */
  creditUsed: string;
  /**
   * What may still be withdrawn: held, plus the credit line, less the open withdrawals. Decimal string with two decimal
   * places.
   */
  available: string;
};

export type FloatTransfer = {
  /** Id of the transfer; the postings in both marketplaces name it. */
  id: string;
  /** The marketplace that gave the float. */
  from: string;
  /** The marketplace that received it. */
  to: string;
  /** Amount of the transfer. Decimal string with two decimal places. */
  amount: string;
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
};

export type AllotFloatInput = {
  /** Decimal string with at most two decimal places. A negative amount takes float back. */
  amount: string;
  /** Currency of the payment provider's balance. */
  currency: 'USD';
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
