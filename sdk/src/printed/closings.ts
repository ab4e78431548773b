// What these routes take and give.
// Printed from contract/src/api/closings.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

import type { Amount } from '../amounts.ts';
import type { CurrencyCode } from './fields.ts';

export type ClosingReport = {
  /** The month or the day. */
  period: string;
  /** Beginning of the period, inclusive. */
  from: string;
  /** End of the period, exclusive. */
  to: string;
  /** Whether the month of the period is sealed. */
  sealed: boolean;
  /** When it was sealed. */
  sealedAt: string | null;
  /** SHA-256 of all figures of the month. The audit entry `CLOSING_SEALED` has the same hash. */
  hash: string | null;
  /** Why the figures can still change, or are incomplete. Null: nothing can change them. */
  openBecause: string | null;
  /** Every currency with at least one posting up to the end of the period. */
  currencies: {
    /** Currency code. */
    currency: CurrencyCode;
    /**
     * The users' money at the beginning: available, reserved and in escrow. Decimal string with two decimal places, or
     * more when needed.
     */
    opening: Amount;
    /** What came in: deposits, top-ups and credits. Decimal string with two decimal places, or more when needed. */
    in: Amount;
    /** What went out: withdrawals, debits and fees. Decimal string with two decimal places, or more when needed. */
    out: Amount;
    /** Opening plus in minus out. Decimal string with two decimal places, or more when needed. */
    closing: Amount;
    /** Platform fees, which are a part of out. Decimal string with two decimal places, or more when needed. */
    fees: Amount;
    /** The opening by owner. */
    openingBy: {
      /** What users can spend. Decimal string with two decimal places, or more when needed. */
      available: Amount;
      /** Reserved for orders and withdrawals. Decimal string with two decimal places, or more when needed. */
      reserved: Amount;
      /** In the escrow of orders. Decimal string with two decimal places, or more when needed. */
      inEscrow: Amount;
    };
    /** The closing by owner. */
    closingBy: {
      /** What users can spend. Decimal string with two decimal places, or more when needed. */
      available: Amount;
      /** Reserved for orders and withdrawals. Decimal string with two decimal places, or more when needed. */
      reserved: Amount;
      /** In the escrow of orders. Decimal string with two decimal places, or more when needed. */
      inEscrow: Amount;
    };
    /**
     * Where the money is at the end, from the books. It contains the users' money, the earned fees and the operator's
     * own money. Null: an earlier version sealed the month without it.
     */
    assets: {
      /** At our addresses on the ledger. Decimal string with two decimal places, or more when needed. */
      wallets: Amount;
      /** In escrow contracts. Decimal string with two decimal places, or more when needed. */
      contracts: Amount;
      /** At the payment provider. Decimal string with two decimal places, or more when needed. */
      provider: Amount;
    } | null;
  }[];
};

export type GetClosingQuery = {
  /** A month or a day, such as `2026-11` or `2026-11-15`. */
  period: string;
  /** Takes precedence over the Accept header; `csv` answers the same figures as a table. */
  format?: 'json' | 'csv';
};
