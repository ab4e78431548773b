// What these routes take and give.
// Printed from contract/src/api/order-records.ts by `node scripts/print-sdk.ts`; do not edit it by hand.

import type { CurrencyCode } from './fields.ts';

export type Dispute = {
  /** Dispute id. */
  id: string;
  /** The order it is about. */
  orderId: string;
  /** Who opened it. */
  openedBy: DisputeOpener;
  /** Why. */
  reason: DisputeReason;
  /** References, such as URLs; null when none were sent. */
  evidence: string[] | null;
  status: DisputeStatus;
  /** Who looks into it. */
  assignedTo: string | null;
  /** How it is decided. */
  resolutionDecision: DisputeDecision | null;
  /** Null until it is resolved. */
  decisionNote: string | null;
  /** The seller's part as decided, before the platform fee. Decimal string with two places. */
  sellerAmount: string | null;
  /** The buyer's part as decided. Decimal string with two places. */
  buyerAmount: string | null;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  /** When it was resolved. */
  resolvedAt: string | null;
};

/** How it is decided. */
export type DisputeDecision = 'FULL_RELEASE' | 'FULL_REFUND' | 'SPLIT';

/** Who opened it. */
export type DisputeOpener = 'BUYER' | 'SELLER';

/** Why. */
export type DisputeReason = 'NOT_DELIVERED' | 'QUALITY_ISSUE' | 'OTHER';

export type DisputeStatus = 'OPEN' | 'UNDER_REVIEW' | 'RESOLVED';

export type DisputeWithOrder = {
  /** Dispute id. */
  id: string;
  /** The order it is about. */
  orderId: string;
  /** Who opened it. */
  openedBy: DisputeOpener;
  /** Why. */
  reason: DisputeReason;
  /** References, such as URLs; null when none were sent. */
  evidence: string[] | null;
  status: DisputeStatus;
  /** Who looks into it. */
  assignedTo: string | null;
  /** How it is decided. */
  resolutionDecision: DisputeDecision | null;
  /** Null until it is resolved. */
  decisionNote: string | null;
  /** The seller's part as decided, before the platform fee. Decimal string with two places. */
  sellerAmount: string | null;
  /** The buyer's part as decided. Decimal string with two places. */
  buyerAmount: string | null;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  /** When it was resolved. */
  resolvedAt: string | null;
  order: Order;
};

export type Escrow = {
  /** Escrow id. */
  id: string;
  /** Address of its contract; null until it is deployed. */
  providerContractId: string | null;
  /** Multi-release when the order has more than one milestone. */
  contractType: 'single-release' | 'multi-release';
  status: 'CREATING' | 'CREATED' | 'FUNDING' | 'FUNDED' | 'RELEASED' | 'REFUNDED' | 'DISPUTED';
  /** The order's amount. Decimal string with two places. */
  amount: string;
  terms: {
    milestones_required: true;
  } | null;
  /** When it was funded. */
  fundedAt: string | null;
  /** When it was released. */
  releasedAt: string | null;
  /** When it was refunded. */
  refundedAt: string | null;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
};

export type Milestone = {
  /** Yours; unique within the order. */
  ref: string;
  title: string;
  /** Its part of the order. Decimal string with two places. */
  amount: string;
  status: 'OPEN' | 'COMPLETED';
  /** When it was completed. */
  completedAt: string | null;
};

export type Order = {
  /** Order id. */
  id: string;
  status: OrderStatus;
  /** How it ended; null until it is CLOSED. */
  finalStatus: 'RELEASED' | 'REFUNDED' | 'SPLIT' | 'CANCELED' | null;
  /** What the buyer pays. Decimal string with two places. */
  amount: string;
  /** Currency code. */
  currency: CurrencyCode;
  /** The buyer. */
  buyerId: string;
  /** The seller. */
  sellerId: string;
  /** Empty when none was given. */
  title: string;
  description: string | null;
  /** Your reference; unique within the marketplace. */
  clientOrderRef: string | null;
  /** Anything you want kept with the record; at most 50 keys and 8192 bytes. */
  metadata: Record<string, unknown>;
  /** Percent of the seller's part that the platform keeps. */
  platformFee: string;
  escrow: Escrow | null;
  dispute: Dispute | null;
  /** In the order in which they were given. */
  milestones: Milestone[];
  /** What is being carried out with the outside systems right now. */
  operation: {
    /** Operation id. */
    id: string;
    kind: 'create-escrow' | 'fund-escrow' | 'release' | 'refund' | 'resolve-dispute';
    state: 'RUNNING' | 'DONE' | 'FAILED';
    /** When it was asked for. */
    startedAt: string;
    /** How often it was put off because an outside system did not answer. */
    attempts: number;
  } | null;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
};

export type OrderStatus = 'ORDER_CREATED' | 'FUNDS_RESERVED' | 'ESCROW_CREATING' | 'ESCROW_FUNDING' | 'IN_PROGRESS' | 'RELEASE_REQUESTED' | 'RELEASED' | 'REFUND_REQUESTED' | 'REFUNDED' | 'DISPUTED' | 'CLOSED';
