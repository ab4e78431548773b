// What these routes take and give.
// Printed from contract/src/api/statements.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

import type { Amount } from '../amounts.ts';
import type { CurrencyCode } from './fields.ts';

export type Statement = {
  /** The owner of the balance. */
  userId: string;
  /** Currency code. */
  currency: CurrencyCode;
  /** Beginning of the range, inclusive. */
  from: string;
  /** End of the range, exclusive. */
  to: string;
  opening: {
    /** Available balance. Decimal string with two decimal places, or more when needed. */
    available: Amount;
    /** Reserved balance. Decimal string with two decimal places, or more when needed. */
    reserved: Amount;
    /** Both. Decimal string with two decimal places, or more when needed. */
    total: Amount;
  };
  /** Oldest first. */
  lines: StatementLine[];
  closing: {
    /** Available balance. Decimal string with two decimal places, or more when needed. */
    available: Amount;
    /** Reserved balance. Decimal string with two decimal places, or more when needed. */
    reserved: Amount;
    /** Both. Decimal string with two decimal places, or more when needed. */
    total: Amount;
  };
  /** Whether the range has more lines than these. */
  hasMore: boolean;
  /** Send this value as `cursor` to get the next lines. */
  nextCursor: string | null;
};

export type StatementLine = {
  /** When the change was booked. */
  time: string;
  /** The part of the balance that changed; a reservation is one line in each part. */
  account: 'available' | 'reserved';
  /** Kind of the change. */
  move: string;
  /** As it was sent with the change; `Milestone <ref>` where a milestone was paid on its own. */
  description: string | null;
  /** The order, top-up or withdrawal of the change, or your own reference. */
  reference: string | null;
  /** Where the money came from, or where it went. */
  counterparty: 'own_balance' | 'operator' | 'escrow' | 'platform' | 'ledger' | 'payment_provider' | 'network' | 'other';
  /** Negative for money that left. Decimal string with two decimal places, or more when needed. */
  amount: Amount;
  /** Balance of that part after the change. Decimal string with two decimal places, or more when needed. */
  balanceAfter: Amount;
};

export type GetStatementQuery = {
  /** Beginning of the range; a date without a time means 00:00 UTC. */
  from?: string;
  /** End of the range. */
  to?: string;
  /** A month in UTC, instead of `from` and `to`. */
  month?: string;
  /** Currency code. */
  currency?: CurrencyCode;
  /** Takes precedence over the Accept header. */
  format?: 'json' | 'csv' | 'html' | 'pdf';
  /** Maximum number of lines in one answer. */
  limit?: number;
  /** The nextCursor of the previous lines; it includes the range. */
  cursor?: string;
};
