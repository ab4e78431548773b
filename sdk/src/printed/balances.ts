// What these routes take and give.
// Printed from contract/src/api/balances.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

import type { Amount, AmountInput } from '../amounts.ts';
import type { CurrencyCode } from './fields.ts';

export type Balance = {
  userId: string;
  /** The amount that the user can spend. Decimal string with two decimal places. */
  available: Amount;
  /** The amount reserved for orders and withdrawals. Decimal string with two decimal places. */
  reserved: Amount;
  /** Available plus reserved. Decimal string with two decimal places. */
  total: Amount;
  /** Currency code. */
  currency: CurrencyCode;
  /** When the balance last changed. */
  updatedAt: string;
};

export type Reservation = {
  /** The order, the withdrawal or your reference of the reservation; null when it was made without one. */
  orderId: string | null;
  /** Total amount ever reserved under this reference. Decimal string with two decimal places. */
  amount: Amount;
  /** Amount still reserved. Decimal string with two decimal places. */
  remaining: Amount;
  /** Currency code. */
  currency: CurrencyCode;
  /** When the reservation last became active. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  /** Whether any amount is still reserved. */
  active: boolean;
};

export type CancelReservationInput = {
  /** The order of the reservation; any reference of yours. */
  orderId: string;
  /** Reason; kept in the audit trail and the event. */
  reason?: string;
};

export type CreditBalanceInput = {
  /** Positive decimal string with at most two decimal places. */
  amount: AmountInput;
  /** Currency code. */
  currency?: CurrencyCode;
  /** Your label. It does not make the call idempotent; use Idempotency-Key for that. */
  reference?: string;
  /** Shown in the statement. */
  description?: string;
  /**
   * The account that the money comes from. `opening_balances`: the user brings the balance from another system; the
   * journal names the account `equity:opening-balances`. It needs a `reference`. A second one with the same user,
   * currency and reference is 409 `OPENING_BALANCE_EXISTS`, whichever key sends it.
   */
  counterAccount?: 'adjustments';
} | {
  /** Positive decimal string with at most two decimal places. */
  amount: AmountInput;
  /** Currency code. */
  currency?: CurrencyCode;
  /** Your label. It does not make the call idempotent; use Idempotency-Key for that. */
  reference: string;
  /** Shown in the statement. */
  description?: string;
  /**
   * The account that the money comes from. `opening_balances`: the user brings the balance from another system; the
   * journal names the account `equity:opening-balances`. It needs a `reference`. A second one with the same user,
   * currency and reference is 409 `OPENING_BALANCE_EXISTS`, whichever key sends it.
   */
  counterAccount: 'opening_balances';
};

export type DebitBalanceInput = {
  /** Positive decimal string with at most two decimal places. */
  amount: AmountInput;
  /** Currency code. */
  currency?: CurrencyCode;
  /** Your label. It does not make the call idempotent; use Idempotency-Key for that. */
  reference?: string;
  /** Shown in the statement. */
  description?: string;
};

export type DeductReservedInput = {
  /** Positive decimal string with at most two decimal places. */
  amount: AmountInput;
  /** Currency code. */
  currency?: CurrencyCode;
  /** The order of the reservation; any reference of yours. */
  orderId?: string;
  /** Reason; kept in the audit trail and the event. */
  reason?: string;
};

export type GetBalanceQuery = {
  /** Currency code. */
  currency?: CurrencyCode;
};

export type ListReservationsQuery = {
  /** Page size. */
  limit?: number;
  /** The nextCursor of the previous page. */
  cursor?: string;
  /** Only active reservations, or only used-up ones. */
  active?: boolean;
  /** Currency code. */
  currency?: CurrencyCode;
};

export type ReleaseBalanceInput = {
  /** Positive decimal string with at most two decimal places. */
  amount: AmountInput;
  /** Currency code. */
  currency?: CurrencyCode;
  /** The order of the reservation; any reference of yours. */
  orderId?: string;
  /** Reason; kept in the audit trail and the event. */
  reason?: string;
};

export type ReserveBalanceInput = {
  /** Positive decimal string with at most two decimal places. */
  amount: AmountInput;
  /** Currency code. */
  currency?: CurrencyCode;
  /** The order of the reservation; any reference of yours. */
  orderId?: string;
  /** Reason; kept in the audit trail and the event. */
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
   * The amount added to this balance; negative when money was taken, null when nothing changed. Decimal string with
   * seven decimal places.
   */
  adjustment: Amount | null;
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
    /** The balance of the address on the ledger. Decimal string with seven decimal places. */
    balance: Amount;
    /** USDC or XLM. */
    asset: string;
  };
  /** The part of the user's money that is not at the user's own address. Decimal string with seven decimal places. */
  heldInTreasury: Amount;
  /** The balance on the ledger minus the balance in the books. Decimal string with seven decimal places. */
  difference: Amount;
};
