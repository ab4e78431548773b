// What these routes take and give.
// Printed from contract/src/api/balances.ts by `node scripts/print-sdk.ts`; do not edit it by hand.

import type { CurrencyCode } from './fields.ts';

export type Balance = {
  userId: string;
  /** What the user can spend. Decimal string with two places. */
  available: string;
  /** What is set aside for orders. Decimal string with two places. */
  reserved: string;
  /** Available plus reserved. Decimal string with two places. */
  total: string;
  /** Currency code. */
  currency: CurrencyCode;
  /** When the balance last changed. */
  updatedAt: string;
};

export type CancelReservationInput = {
  /** The order it is for; any reference of yours. */
  orderId: string;
  /** Why; kept in the audit trail and the event. */
  reason?: string;
};

export type CreditBalanceInput = {
  /** Positive decimal string with at most two places. */
  amount: string;
  /** Currency code. */
  currency?: CurrencyCode;
  /** A label of yours; it does not make the call repeatable. */
  reference?: string;
  /** Shown in the statement. */
  description?: string;
};

export type DebitBalanceInput = {
  /** Positive decimal string with at most two places. */
  amount: string;
  /** Currency code. */
  currency?: CurrencyCode;
  /** A label of yours; it does not make the call repeatable. */
  reference?: string;
  /** Shown in the statement. */
  description?: string;
};

export type DeductReservedInput = {
  /** Positive decimal string with at most two places. */
  amount: string;
  /** Currency code. */
  currency?: CurrencyCode;
  /** The order it is for; any reference of yours. */
  orderId?: string;
  /** Why; kept in the audit trail and the event. */
  reason?: string;
};

export type GetBalanceQuery = {
  /** Currency code. */
  currency?: CurrencyCode;
};

export type ReleaseBalanceInput = {
  /** Positive decimal string with at most two places. */
  amount: string;
  /** Currency code. */
  currency?: CurrencyCode;
  /** The order it is for; any reference of yours. */
  orderId?: string;
  /** Why; kept in the audit trail and the event. */
  reason?: string;
};

export type ReserveBalanceInput = {
  /** Positive decimal string with at most two places. */
  amount: string;
  /** Currency code. */
  currency?: CurrencyCode;
  /** The order it is for; any reference of yours. */
  orderId?: string;
  /** Why; kept in the audit trail and the event. */
  reason?: string;
};

export type SyncBalanceQuery = {
  /** Currency code. */
  currency?: CurrencyCode;
};

export type SyncBalanceResult = {
  synced: boolean;
  previousBalance: Balance;
  currentBalance: Balance;
  /** True when ledger and books differed. */
  discrepancyDetected: boolean;
  /**
   * What was added to this balance, negative when taken from it; null when nothing was. Decimal string with seven
   * places.
   */
  adjustment: string | null;
};

export type VerifyBalanceQuery = {
  /** Currency code. */
  currency?: CurrencyCode;
};

export type VerifyBalanceResult = {
  /** True when the difference is zero. */
  isValid: boolean;
  offChainBalance: Balance;
  onChainBalance: {
    /** The user's custodial address; empty while there is none. */
    address: string;
    /** What the ledger shows there. Decimal string with seven places. */
    balance: string;
    /** USDC or XLM. */
    asset: string;
  };
  /** What of the user's money is not at the user's own address. Decimal string with seven places. */
  heldInTreasury: string;
  /** What the ledger shows at the address, less what the books have there. Decimal string with seven places. */
  difference: string;
};
