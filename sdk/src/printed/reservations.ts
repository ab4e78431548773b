// What these routes take and give.
// Printed from contract/src/api/reservations.ts by `node scripts/print-sdk.ts`; do not edit it by hand.

import type { CurrencyCode } from './fields.ts';

export type Reservation = {
  /** The order, withdrawal or reference of yours that it is for; null when it was set aside without one. */
  orderId: string | null;
  /** All that was ever set aside under it. Decimal string with two places. */
  amount: string;
  /** What is still set aside. Decimal string with two places. */
  remaining: string;
  /** Currency code. */
  currency: CurrencyCode;
  /** When it last went from nothing to something. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  /** Whether anything is still set aside. */
  active: boolean;
};

export type ListReservationsQuery = {
  /** Page size. */
  limit?: number;
  /** The nextCursor of the page before. */
  cursor?: string;
  /** Only active ones, or only those that are used up. */
  active?: boolean;
  /** Currency code. */
  currency?: CurrencyCode;
};
