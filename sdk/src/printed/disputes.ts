// What these routes take and give.
// Printed from contract/src/api/disputes.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

import type { AmountInput } from '../amounts.ts';
import type { DisputeOpener, DisputeReason, DisputeStatus } from './order-records.ts';

export type AssignDisputeInput = {
  /**
   * The agent who reviews the dispute; any name of yours. One line with at least one visible character, without control
   * characters.
   */
  assignedTo: string;
};

export type ListDisputesQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
  /** Only records created after this date or time. */
  createdAfter?: string;
  /** Only records created before this date or time. */
  createdBefore?: string;
  /** Only disputes about this order. */
  orderId?: string;
  /** Only disputes about orders of this buyer. */
  buyerId?: string;
  /** Only disputes about orders of this seller. */
  sellerId?: string;
  status?: DisputeStatus;
  /** Who opened the dispute. */
  openedBy?: DisputeOpener;
};

export type OpenDisputeInput = {
  /** Required. The order id in the path takes precedence. */
  orderId: string;
  /** Who opened the dispute. */
  openedBy: DisputeOpener;
  /** Reason of the dispute. */
  reason: DisputeReason;
  evidence?: string[];
};

export type ResolveDisputeInput = {
  /** The decision. */
  decision: 'FULL_RELEASE' | 'FULL_REFUND';
  releaseAmount?: never;
  refundAmount?: never;
  /** Reason for the decision. */
  note?: string;
} | {
  /** The decision. */
  decision: 'SPLIT';
  /** The seller's part. */
  releaseAmount: AmountInput;
  /** The buyer's part. */
  refundAmount: AmountInput;
  /** Reason for the decision. */
  note?: string;
};
