// What these routes take and give.
// Printed from contract/src/api/orders.ts by `node scripts/print-sdk.ts`; do not edit it by hand.

import type { CurrencyCode } from './fields.ts';
import type { OrderStatus } from './order-records.ts';

export type CancelOrderInput = {
  /** Why; kept in the audit trail. */
  reason?: string;
};

export type CreateOrderInput = {
  /** The buyer: approves the work and releases the money. */
  buyerId: string;
  /** The seller: is paid. */
  sellerId: string;
  /** Positive decimal string with at most two places. */
  amount: string;
  /** Currency code. */
  currency?: CurrencyCode;
  /** Title of the escrow too. */
  title?: string;
  description?: string;
  /** Your reference; unique within the marketplace. */
  clientOrderRef?: string;
  /** Anything you want kept with the record; at most 50 keys and 8192 bytes. */
  metadata?: Record<string, unknown>;
  milestones?: {
    /** Yours; unique within the order. */
    ref: string;
    /** What is to be done. */
    title: string;
    /** Positive decimal string with at most two places. */
    amount: string;
  }[];
};

export type ListOrdersQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
  /** Only records created after this date or time. */
  createdAfter?: string;
  /** Only records created before this date or time. */
  createdBefore?: string;
  /** What to look for. */
  q?: string;
  status?: OrderStatus;
  /** Only orders of this buyer. */
  buyerId?: string;
  /** Only orders of this seller. */
  sellerId?: string;
  /** Your reference; unique within the marketplace. */
  clientOrderRef?: string;
};

export type RefundOrderInput = {
  /** Why; kept in the audit trail. */
  reason: string;
};

export type ReleaseOrderInput = {
  /** Why; kept in the audit trail. */
  reason?: string;
};
