// What these routes take and give.
// Printed from contract/src/api/statements.ts by `node scripts/print-sdk.ts`; do not edit it by hand.

import type { CurrencyCode } from './fields.ts';

export type Statement = {
  /** Whose balance it is. */
  userId: string;
  /** Currency code. */
  currency: CurrencyCode;
  /** Beginning of the range; what was booked then is in it. */
  from: string;
  /** End of the range; what was booked then is not in it any more. */
  to: string;
  opening: {
    /** What can be spent. Decimal string with two places, or as many as it has. */
    available: string;
    /** What is set aside. Decimal string with two places, or as many as it has. */
    reserved: string;
    /** Both. Decimal string with two places, or as many as it has. */
    total: string;
  };
  /** Oldest first. */
  lines: StatementLine[];
  closing: {
    /** What can be spent. Decimal string with two places, or as many as it has. */
    available: string;
    /** What is set aside. Decimal string with two places, or as many as it has. */
    reserved: string;
    /** Both. Decimal string with two places, or as many as it has. */
    total: string;
  };
  /** Whether the range has more lines than these. */
  hasMore: boolean;
  /** Send it as `cursor` to get the lines that follow. */
  nextCursor: string | null;
};

export type StatementLine = {
  /** When it was booked. */
  time: string;
  /** Which part of the balance changed; setting money aside is one line in each. */
  account: 'available' | 'reserved';
  /** Why it moved. */
  move: string;
  description: string | null;
  /** The order, top-up or withdrawal it belongs to, or your own reference. */
  reference: string | null;
  /** Whom it came from, or where it went. */
  counterparty: 'own_balance' | 'operator' | 'escrow' | 'platform' | 'ledger' | 'payment_provider' | 'network' | 'other';
  /** Below zero for what went. Decimal string with two places, or as many as it has. */
  amount: string;
  /** Of that part. Decimal string with two places, or as many as it has. */
  balanceAfter: string;
};

export type GetStatementQuery = {
  /** Beginning of the range; a date alone is its first moment in UTC. */
  from?: string;
  /** End of the range. */
  to?: string;
  /** Currency code. */
  currency?: CurrencyCode;
  /** Wins over the Accept header. */
  format?: 'json' | 'csv';
  /** Lines in one answer. */
  limit?: number;
  /** The nextCursor of the lines before; it carries the range too. */
  cursor?: string;
};
