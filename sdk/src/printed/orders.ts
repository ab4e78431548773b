// What these routes take and give.
// Printed from contract/src/api/orders.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

import type { AmountInput } from '../amounts.ts';
import type { CurrencyCode } from './fields.ts';
import type { DisputeOpener, DisputeReason, OrderStatus } from './order-records.ts';

export type CancelOrderInput = {
  /** Reason; kept in the audit trail. */
  reason?: string;
};

export type CreateOrderInput = {
  /** The buyer, who approves the work and releases the money. */
  buyerId: string;
  /** The seller, who is paid. */
  sellerId: string;
  /** Positive decimal string with at most two decimal places. */
  amount: AmountInput;
  /** Currency code. */
  currency?: CurrencyCode;
  /** Title of the order and of its escrow. */
  title?: string;
  description?: string;
  /** Your reference; unique within the marketplace. */
  clientOrderRef?: string;
  /** Your own data, stored with the record. At most 50 keys and 8192 bytes. */
  metadata?: Record<string, unknown>;
  milestones?: {
    /** Your reference; unique within the order. */
    ref: string;
    /** Title of the milestone. */
    title: string;
    /** Positive decimal string with at most two decimal places. */
    amount: AmountInput;
  }[];
  /** A policy: its name for the newest version, or the id of a version. */
  policy?: string;
};

export type DisputeMilestoneInput = {
  /** The order id in the path takes precedence. */
  orderId?: string;
  /** Who opened the dispute. */
  openedBy: DisputeOpener;
  /** Reason of the dispute. */
  reason: DisputeReason;
  evidence?: string[];
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
  /** Search text. */
  q?: string;
  status?: OrderStatus;
  /** Only orders of this buyer. */
  buyerId?: string;
  /** Only orders of this seller. */
  sellerId?: string;
  /** Your reference; unique within the marketplace. */
  clientOrderRef?: string;
};

export type RefundMilestoneInput = {
  /** Reason; kept in the audit trail. */
  reason: string;
};

export type RefundOrderInput = {
  /** Reason; kept in the audit trail. */
  reason: string;
};

export type ReleaseMilestoneInput = {
  /** Reason; kept in the audit trail. */
  reason?: string;
};

export type ReleaseOrderInput = {
  /** Reason; kept in the audit trail. */
  reason?: string;
};
