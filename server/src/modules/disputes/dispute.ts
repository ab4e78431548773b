// A disagreement about an order, and how it was decided.

import type { DisputeDecision, DisputeOpener, DisputeReason, DisputeStatus } from '@holdfast/contract/states.ts';
import type { Amount } from '../../books/money.ts';

export type Dispute = {
  readonly id: string;
  readonly orderId: string;
  readonly openedBy: DisputeOpener;
  readonly reason: DisputeReason;
  /** Null: none was sent; an empty list was. */
  readonly evidence: readonly string[] | null;
  readonly status: DisputeStatus;
  readonly assignedTo: string | null;
  readonly resolutionDecision: DisputeDecision | null;
  readonly decisionNote: string | null;
  /** The parts as decided, before any fee. */
  readonly sellerAmount: Amount | null;
  readonly buyerAmount: Amount | null;
  readonly resolvedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};
