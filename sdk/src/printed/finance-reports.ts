// What these routes take and give.
// Printed from contract/src/api/finance-reports.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

import type { Amount } from '../amounts.ts';
import type { CurrencyCode } from './fields.ts';

export type FeeReport = {
  /** Beginning of the range, inclusive. */
  from: string;
  /** End of the range, exclusive. */
  to: string;
  interval: 'day' | 'week' | 'month';
  /** Every currency with fees or costs in the range. */
  currencies: {
    /** Currency code. */
    currency: CurrencyCode;
    totals: {
      /**
       * Platform fees earned: the moves `platform_fee`. Decimal string with two decimal places, or more when needed.
       */
      earned: Amount;
      /**
       * Platform fees that a correction has returned to the escrow of an order. Decimal string with two decimal places,
       * or more when needed.
       */
      reversed: Amount;
      /**
       * What the network and the escrow protocol have cost. Decimal string with two decimal places, or more when
       * needed.
       */
      networkFees: Amount;
      /** What the payment provider has cost. Decimal string with two decimal places, or more when needed. */
      providerFees: Amount;
      /**
       * Earned minus the three others; may be negative. Decimal string with two decimal places, or more when needed.
       */
      net: Amount;
    };
    /**
     * Oldest first, including intervals without fees. Weeks begin on Monday. The first and the last interval may be cut
     * by the range.
     */
    intervals: {
      /** Beginning of the interval, inclusive. */
      from: string;
      /** End of the interval, exclusive. */
      to: string;
      /**
       * Platform fees earned: the moves `platform_fee`. Decimal string with two decimal places, or more when needed.
       */
      earned: Amount;
      /**
       * Platform fees that a correction has returned to the escrow of an order. Decimal string with two decimal places,
       * or more when needed.
       */
      reversed: Amount;
      /**
       * What the network and the escrow protocol have cost. Decimal string with two decimal places, or more when
       * needed.
       */
      networkFees: Amount;
      /** What the payment provider has cost. Decimal string with two decimal places, or more when needed. */
      providerFees: Amount;
      /**
       * Earned minus the three others; may be negative. Decimal string with two decimal places, or more when needed.
       */
      net: Amount;
    }[];
  }[];
};

export type OpenItemsReport = {
  /** The time from which ages are counted. */
  at: string;
  /** Every kind, including those without items. */
  kinds: {
    /**
     * Orders with money in escrow, by the time of their funding; open disputes; withdrawals that are not ended, with
     * the unpaid amount; top-ups that wait for the payer or the payment provider; and open breaks of reconciliation.
     */
    kind: 'orders_in_escrow' | 'disputes' | 'withdrawals' | 'topups' | 'breaks';
    count: number;
    currencies: {
      /** Currency code. */
      currency: CurrencyCode | null;
      count: number;
      /**
       * Null for breaks: the differences of several balances cannot be added up. Decimal string with two decimal
       * places, or more when needed.
       */
      amount: Amount | null;
      /** Every age, youngest first. An item of exactly one day counts as 1 to 7 days old. */
      ages: {
        age: 'under_1_day' | '1_to_7_days' | '7_to_30_days' | '30_to_90_days' | 'over_90_days';
        count: number;
        /**
         * Null for breaks: the differences of several balances cannot be added up. Decimal string with two decimal
         * places, or more when needed.
         */
        amount: Amount | null;
      }[];
    }[];
    /** Oldest first. */
    oldest: {
      /** Id of the order, dispute, withdrawal or top-up; kind and subject of a break. */
      id: string;
      /** Since when it is open. */
      since: string;
      /** Currency code. */
      currency: CurrencyCode | null;
      /**
       * For a break the difference, which may be negative. Decimal string with two decimal places, or more when needed.
       */
      amount: Amount;
    }[];
  }[];
};

export type PayoutReport = {
  /** Beginning of the range, inclusive. */
  from: string;
  /** End of the range, exclusive. */
  to: string;
  /** Destinations of one group that are listed on their own. */
  destinationsMax: number;
  /** By kind of destination and currency. */
  groups: {
    /** The payment provider pays bank and payment_account; crypto is paid over the ledger. */
    type: 'bank' | 'crypto' | 'payment_account';
    /** Currency code. */
    currency: CurrencyCode;
    /** Paid in the range: what the destinations received. A withdrawal that was paid in parts counts when it ends. */
    paid: {
      count: number;
      /** Total amount. Decimal string with two decimal places, or more when needed. */
      amount: Amount;
    };
    /** Failed or cancelled in the range: what went back to the balances of users. */
    failed: {
      count: number;
      /** Total amount. Decimal string with two decimal places, or more when needed. */
      amount: Amount;
    };
    /** Created before the end of the range and not ended until now: what is still to be paid. */
    open: {
      count: number;
      /** Total amount. Decimal string with two decimal places, or more when needed. */
      amount: Amount;
    };
    /** The destinations with the largest paid amounts, largest first. */
    destinations: {
      /** Address on the ledger. */
      address: string | null;
      /** E-mail of the receiver at the payment provider. */
      email: string | null;
      /** Paid in the range: what the destinations received. A withdrawal that was paid in parts counts when it ends. */
      paid: {
        count: number;
        /** Total amount. Decimal string with two decimal places, or more when needed. */
        amount: Amount;
      };
      /** Failed or cancelled in the range: what went back to the balances of users. */
      failed: {
        count: number;
        /** Total amount. Decimal string with two decimal places, or more when needed. */
        amount: Amount;
      };
      /** Created before the end of the range and not ended until now: what is still to be paid. */
      open: {
        count: number;
        /** Total amount. Decimal string with two decimal places, or more when needed. */
        amount: Amount;
      };
    }[];
    /** All other destinations together; null when there are none. */
    rest: {
      /** Number of other destinations. */
      destinations: number;
      /** Paid in the range: what the destinations received. A withdrawal that was paid in parts counts when it ends. */
      paid: {
        count: number;
        /** Total amount. Decimal string with two decimal places, or more when needed. */
        amount: Amount;
      };
      /** Failed or cancelled in the range: what went back to the balances of users. */
      failed: {
        count: number;
        /** Total amount. Decimal string with two decimal places, or more when needed. */
        amount: Amount;
      };
      /** Created before the end of the range and not ended until now: what is still to be paid. */
      open: {
        count: number;
        /** Total amount. Decimal string with two decimal places, or more when needed. */
        amount: Amount;
      };
    } | null;
  }[];
};

export type GetFeeReportQuery = {
  /** First day of the range. */
  from?: string;
  /** The day after the last one. At most tomorrow. */
  to?: string;
  /** Takes precedence over the Accept header; `csv` answers the same figures as a table. */
  format?: 'json' | 'csv';
  /** The length of an interval. */
  interval?: 'day' | 'week' | 'month';
};

export type GetOpenItemsQuery = {
  /** The time from which ages are counted; now by default, and not in the future. */
  at?: string;
  /** How many of the oldest items of each kind are listed. */
  limit?: number;
  /** Takes precedence over the Accept header; `csv` answers the same figures as a table. */
  format?: 'json' | 'csv';
};

export type GetPayoutReportQuery = {
  /** First day of the range. */
  from?: string;
  /** The day after the last one. At most tomorrow. */
  to?: string;
  /** Takes precedence over the Accept header; `csv` answers the same figures as a table. */
  format?: 'json' | 'csv';
};
