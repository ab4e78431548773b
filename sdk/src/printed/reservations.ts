// What these routes take and give.
// Printed from contract/src/api/reservations.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

import type { CurrencyCode } from './fields.ts';

export type Reservation = {
  /** The order, the withdrawal or your reference of the reservation; null when it was made without one. */
  orderId: string | null;
  /** Total amount ever reserved under this reference. Decimal string with two decimal places. */
  amount: string;
  /** Amount still reserved. Decimal string with two decimal places. */
  remaining: string;
  /** Currency code. */
  currency: CurrencyCode;
  /** When the reservation last became active. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  /** Whether any amount is still reserved. */
  active: boolean;
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
