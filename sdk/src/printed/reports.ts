// What these routes take and give.
// Printed from contract/src/api/reports.ts by `node scripts/print-sdk.ts`; do not edit it by hand.

import type { CurrencyCode } from './fields.ts';

export type ActivityReport = {
  /** Currency code. */
  currency: CurrencyCode;
  /** First moment of the first day. */
  from: string;
  /** When it was read; today is not over. */
  to: string;
  /** Oldest first, today last; days on which nothing happened too. */
  days: {
    /** The day, in UTC. */
    date: string;
    ordersCreated: number;
    /** Released, refunded or split. */
    ordersSettled: number;
    ordersCanceled: number;
    /** Of the orders that were created. Decimal string with two places, or as many as it has. */
    amountCreated: string;
    /** What sellers got, less the platform fee. Decimal string with two places, or as many as it has. */
    releasedToSellers: string;
    /** What buyers got back. Decimal string with two places, or as many as it has. */
    refundedToBuyers: string;
    /** What the platform kept. Decimal string with two places, or as many as it has. */
    platformFees: string;
    /** What payers paid in at the payment provider. Decimal string with two places, or as many as it has. */
    toppedUp: string;
    /** Withdrawals that were completed. Decimal string with two places, or as many as it has. */
    withdrawn: string;
    /** From the creation of an order to its end, in whole seconds; canceled ones do not count. */
    settlement: {
      /** Half of them took at most so long; null without any. */
      medianSeconds: number | null;
      /** Nine of ten took at most so long; null without any. */
      p90Seconds: number | null;
    };
  }[];
  totals: {
    ordersCreated: number;
    /** Released, refunded or split. */
    ordersSettled: number;
    ordersCanceled: number;
    /** Of the orders that were created. Decimal string with two places, or as many as it has. */
    amountCreated: string;
    /** What sellers got, less the platform fee. Decimal string with two places, or as many as it has. */
    releasedToSellers: string;
    /** What buyers got back. Decimal string with two places, or as many as it has. */
    refundedToBuyers: string;
    /** What the platform kept. Decimal string with two places, or as many as it has. */
    platformFees: string;
    /** What payers paid in at the payment provider. Decimal string with two places, or as many as it has. */
    toppedUp: string;
    /** Withdrawals that were completed. Decimal string with two places, or as many as it has. */
    withdrawn: string;
    /** From the creation of an order to its end, in whole seconds; canceled ones do not count. */
    settlement: {
      /** Half of them took at most so long; null without any. */
      medianSeconds: number | null;
      /** Nine of ten took at most so long; null without any. */
      p90Seconds: number | null;
    };
  };
};

export type MoneyReport = {
  /** The moment that all figures are of. */
  asOf: string;
  /** Those in which something was ever booked. */
  currencies: {
    /** Currency code. */
    currency: CurrencyCode;
    /** Whose it is; every place, also an empty one. */
    claims: {
      /**
       * Whose it is: what users can spend, what is set aside for them, what lies in escrow, what the platform earned,
       * what is owed at the payment provider, and what the operator put in by hand.
       */
      place: 'user_available' | 'user_reserved' | 'in_escrow' | 'platform_fees' | 'payment_float_owed' | 'operator_adjustments';
      /**
       * Of the operator below zero for what was credited by hand without money behind it. Decimal string with two
       * places, or as many as it has.
       */
      amount: string;
    }[];
    /** Where it is; every place, also an empty one. */
    holdings: {
      /**
       * Where it is: at the users' addresses, the treasury's, the platform's, in escrow contracts, at the payment
       * provider, and what was spent on fees of the networks.
       */
      place: 'user_wallets' | 'treasury_wallet' | 'platform_wallet' | 'contracts' | 'payment_float' | 'network_fees';
      /** What is there by the books. Decimal string with two places, or as many as it has. */
      amount: string;
    }[];
    /** All claims together. Decimal string with two places, or as many as it has. */
    claimsTotal: string;
    /** All holdings together. Decimal string with two places, or as many as it has. */
    holdingsTotal: string;
    /** Claims less holdings: zero. Decimal string with two places, or as many as it has. */
    difference: string;
  }[];
};

export type OpenWork = {
  /** When it was counted. */
  asOf: string;
  /** A count that is this high may be higher. */
  countedMax: number;
  /** Every kind, also with nothing waiting. */
  items: {
    /** Stuck is an operation that was put off at least once; it is among the running ones too. */
    kind: 'disputes_open' | 'disputes_under_review' | 'breaks_open' | 'operations_running' | 'operations_stuck' | 'withdrawals_created' | 'withdrawals_committed' | 'withdrawals_pending' | 'withdrawals_pending_user_action' | 'topups_created' | 'topups_awaiting_user_confirmation' | 'topups_processing';
    count: number;
    /** Since when the oldest waits; null when nothing does. */
    oldestAt: string | null;
  }[];
};

export type GetActivityReportQuery = {
  /** How many days, today included. */
  days?: number;
  /** Currency code. */
  currency?: CurrencyCode;
};
