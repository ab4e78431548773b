// What these routes take and give.
// Printed from contract/src/api/disputes.ts by `node scripts/print-sdk.ts`; do not edit it by hand.

import type { DisputeDecision, DisputeOpener, DisputeReason, DisputeStatus } from './order-records.ts';

export type AssignDisputeInput = {
  /** Who looks into it; any name of yours. */
  assignedTo: string;
};

export type ListDisputesQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
  /** Only disputes about this order. */
  orderId?: string;
  status?: DisputeStatus;
  /** Who opened it. */
  openedBy?: DisputeOpener;
};

export type OpenDisputeInput = {
  /** Required; the one in the path counts. */
  orderId: string;
  /** Who opened it. */
  openedBy: DisputeOpener;
  /** Why. */
  reason: DisputeReason;
  evidence?: string[];
};

export type ResolveDisputeInput = {
  /** How it is decided. */
  decision: DisputeDecision;
  /** The seller's part. */
  releaseAmount?: string;
  /** The buyer's part. */
  refundAmount?: string;
  /** Why it was decided like this. */
  note?: string;
};
