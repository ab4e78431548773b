// What these routes take and give.
// Printed from contract/src/api/reports.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

import type { Amount } from '../amounts.ts';
import type { CurrencyCode } from './fields.ts';

export type ActivityReport = {
  /** Currency code. */
  currency: CurrencyCode;
  /** First moment of the first day. */
  from: string;
  /** When the report was read; today is incomplete. */
  to: string;
  /** Oldest first, today last, including days without activity. */
  days: {
    /** The day, in UTC. */
    date: string;
    ordersCreated: number;
    /** Released, refunded or split. */
    ordersSettled: number;
    ordersCanceled: number;
    /** Total amount of the created orders. Decimal string with two decimal places, or more when needed. */
    amountCreated: Amount;
    /** Paid to sellers, minus the platform fee. Decimal string with two decimal places, or more when needed. */
    releasedToSellers: Amount;
    /** Paid back to buyers. Decimal string with two decimal places, or more when needed. */
    refundedToBuyers: Amount;
    /** Platform fees kept. Decimal string with two decimal places, or more when needed. */
    platformFees: Amount;
    /** Paid in through the payment provider. Decimal string with two decimal places, or more when needed. */
    toppedUp: Amount;
    /** Completed withdrawals. Decimal string with two decimal places, or more when needed. */
    withdrawn: Amount;
    /**
     * From the creation of an order to its end, in whole seconds, without canceled orders. Exact below 64 seconds,
     * otherwise within 2 %.
     */
    settlement: {
      /** Median; null without any order. */
      medianSeconds: number | null;
      /** 90th percentile; null without any order. */
      p90Seconds: number | null;
    };
  }[];
  totals: {
    ordersCreated: number;
    /** Released, refunded or split. */
    ordersSettled: number;
    ordersCanceled: number;
    /** Total amount of the created orders. Decimal string with two decimal places, or more when needed. */
    amountCreated: Amount;
    /** Paid to sellers, minus the platform fee. Decimal string with two decimal places, or more when needed. */
    releasedToSellers: Amount;
    /** Paid back to buyers. Decimal string with two decimal places, or more when needed. */
    refundedToBuyers: Amount;
    /** Platform fees kept. Decimal string with two decimal places, or more when needed. */
    platformFees: Amount;
    /** Paid in through the payment provider. Decimal string with two decimal places, or more when needed. */
    toppedUp: Amount;
    /** Completed withdrawals. Decimal string with two decimal places, or more when needed. */
    withdrawn: Amount;
    /**
     * From the creation of an order to its end, in whole seconds, without canceled orders. Exact below 64 seconds,
     * otherwise within 2 %.
     */
    settlement: {
      /** Median; null without any order. */
      medianSeconds: number | null;
      /** 90th percentile; null without any order. */
      p90Seconds: number | null;
    };
  };
};

export type MoneyReport = {
  /** The time of all figures. */
  asOf: string;
  /** Every currency with at least one posting. */
  currencies: {
    /** Currency code. */
    currency: CurrencyCode;
    /** Liabilities by owner; every owner, including zero amounts. */
    claims: {
      /**
       * The owner: what users can spend, what is reserved for them, money in escrow, the earnings of the platform,
       * amounts owed at the payment provider, manual adjustments by the operator, and the counterpart of opening
       * balances.
       */
      place: 'user_available' | 'user_reserved' | 'in_escrow' | 'platform_fees' | 'payment_float_owed' | 'escrow_surplus' | 'late_topups' | 'operator_adjustments' | 'opening_balances';
      /**
       * For the operator negative: money credited by hand without a matching deposit. Decimal string with two decimal
       * places, or more when needed.
       */
      amount: Amount;
    }[];
    /** Assets by place; every place, including zero amounts. */
    holdings: {
      /**
       * The place: the users' addresses, the treasury's, the platform's, escrow contracts, the payment provider, and
       * fees spent on the networks.
       */
      place: 'user_wallets' | 'treasury_wallet' | 'platform_wallet' | 'contracts' | 'payment_float' | 'network_fees';
      /** The balance in the books. Decimal string with two decimal places, or more when needed. */
      amount: Amount;
    }[];
    /** Total of all claims. Decimal string with two decimal places, or more when needed. */
    claimsTotal: Amount;
    /** Total of all holdings. Decimal string with two decimal places, or more when needed. */
    holdingsTotal: Amount;
    /** Claims minus holdings; zero when balanced. Decimal string with two decimal places, or more when needed. */
    difference: Amount;
  }[];
};

export type OpenWork = {
  /** When the work was counted. */
  asOf: string;
  /** A count at this maximum may be higher. */
  countedMax: number;
  /** Every kind, including zero counts. */
  items: {
    /** A stuck operation was retried at least once; it also counts as running. */
    kind: 'disputes_open' | 'disputes_under_review' | 'breaks_open' | 'operations_running' | 'operations_stuck' | 'withdrawals_created' | 'withdrawals_committed' | 'withdrawals_pending' | 'withdrawals_pending_user_action' | 'topups_created' | 'topups_awaiting_user_confirmation' | 'topups_processing';
    count: number;
    /** Since when the oldest item waits; null when there is none. */
    oldestAt: string | null;
  }[];
};

export type GetActivityReportQuery = {
  /** Number of days, including today. */
  days?: number;
  /** Currency code. */
  currency?: CurrencyCode;
};
