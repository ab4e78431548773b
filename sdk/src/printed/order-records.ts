// What these routes take and give.
// Printed from contract/src/api/order-records.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

import type { Amount } from '../amounts.ts';
import type { CurrencyCode } from './fields.ts';

/**
 * The order afterwards: its id and status, and of the other fields, milestones and deadlines only those that the step
 * changes.
 */
export type ChangedOrder = {
  /** Order id. */
  id: string;
  status: OrderStatus;
  /** How the order ended; null until it is CLOSED. */
  finalStatus: 'RELEASED' | 'REFUNDED' | 'SPLIT' | 'CANCELED' | null;
  /** Those that it changes. */
  milestones?: Milestone[];
  /** Those that it changes. */
  deadlines?: Deadline[];
  /** The amount that the buyer pays. Decimal string with two decimal places. */
  amount?: Amount;
  /** Currency code. */
  currency?: CurrencyCode;
  /** The buyer. */
  buyerId?: string;
  /** The seller. */
  sellerId?: string;
  /** Empty when none was given. */
  title?: string;
  description?: string | null;
  /** Your reference; unique within the marketplace. */
  clientOrderRef?: string | null;
  /** Your own data, stored with the record. At most 50 keys and 8192 bytes. */
  metadata?: Record<string, unknown>;
  /** The same as `platformFeePercent`: a percentage, and not an amount. */
  platformFee?: string;
  /**
   * Percent of the seller's part that the platform keeps: `metadata.platformFee` of the order, or else of its policy,
   * or else 5.
   */
  platformFeePercent?: string;
  /**
   * What the platform keeps, with all terms of its policy. Of a CLOSED order: what it kept. Of an open one: what it
   * keeps when all that is left is released. Cut to two places; the receipt has all places. Decimal string with two
   * decimal places.
   */
  platformFeeAmount?: Amount;
  /**
   * What the seller gets, after the fee. Of a CLOSED order: what was paid. Of an open one: what the seller has got when
   * all that is left is released. Cut to two places; the receipt has all places. Decimal string with two decimal
   * places.
   */
  sellerNet?: Amount;
  /**
   * What the buyer got back; 0.00 while nothing was refunded. Before they are cut to two places, the platform fee, the
   * net amount of the seller and this add up to the amount of the order, unless it was canceled. Decimal string with
   * two decimal places.
   */
  buyerRefund?: Amount;
  escrow?: Escrow | null;
  dispute?: Dispute | null;
  /**
   * What was paid so far; only when a milestone was paid on its own. The four amounts add up to the amount of the
   * order, before they are cut to two places.
   */
  paid?: {
    /** What the seller got, after the platform fee. Decimal string with two decimal places. */
    seller: Amount;
    /** What the buyer got back. Decimal string with two decimal places. */
    buyer: Amount;
    /** What the platform kept. Decimal string with two decimal places. */
    fee: Amount;
    /** What is still in escrow. Decimal string with two decimal places. */
    left: Amount;
  };
  /** The operation that is running with the outside systems now. */
  operation?: {
    /** Operation id. */
    id: string;
    kind: 'create-escrow' | 'fund-escrow' | 'release' | 'refund' | 'resolve-dispute' | 'release-milestone' | 'refund-milestone';
    state: 'RUNNING' | 'DONE' | 'FAILED';
    /** When the operation was requested. */
    startedAt: string;
    /** How often the operation was retried because an outside system did not answer. */
    attempts: number;
  } | null;
  /** The policy that the order took when it was created; null when it took none. */
  policy?: {
    /** Id of the version. */
    id: string;
    name: string;
    version: number;
  } | null;
  /** When it was created. */
  createdAt?: string;
  /** When it last changed. */
  updatedAt?: string;
};

export type Deadline = {
  kind: 'cancel_unfunded' | 'auto_release' | 'dispute_decision' | 'milestone_inspection' | 'reminder';
  /** When it passes. With simulators it follows their clock. */
  at: string;
  /**
   * `DONE`: it has passed, and what it does was begun. `CANCELED`: it became pointless. `HELD`: it waits for an
   * operator, who has held it or has to decide after too many refusals.
   */
  status: 'PENDING' | 'DONE' | 'CANCELED' | 'HELD';
  /** The milestone that is inspected or disputed. */
  milestoneRef: string | null;
  /** Of a reminder: the deadline that it belongs to. */
  of: 'cancel_unfunded' | 'auto_release' | 'dispute_decision' | 'milestone_inspection' | 'reminder' | null;
  /** How often an outside system had refused its work before; absent when that did not happen. */
  attempts?: number;
  /**
   * Of one that is DONE: why its work was refused; another one stands in its place. Otherwise why the one before it was
   * refused.
   */
  failure?: string;
};

export type Dispute = {
  /** Dispute id. */
  id: string;
  /** The disputed order. */
  orderId: string;
  /** The disputed milestone; absent when it is the whole order. */
  milestoneRef?: string;
  /** Who opened the dispute. */
  openedBy: DisputeOpener;
  /** Reason of the dispute. */
  reason: DisputeReason;
  /** References, such as URLs; null when none were sent. */
  evidence: string[] | null;
  status: DisputeStatus;
  /** The agent who reviews the dispute; null while it is unassigned. */
  assignedTo: string | null;
  /** The decision. */
  resolutionDecision: DisputeDecision | null;
  /** Reason for the decision; null until the dispute is resolved. */
  decisionNote: string | null;
  /** The seller's part as decided, before the platform fee. Decimal string with two decimal places. */
  sellerAmount: Amount | null;
  /** The buyer's part as decided. Decimal string with two decimal places. */
  buyerAmount: Amount | null;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  /** When the dispute was resolved. */
  resolvedAt: string | null;
};

/** The decision. */
export type DisputeDecision = 'FULL_RELEASE' | 'FULL_REFUND' | 'SPLIT';

/** Who opened the dispute. */
export type DisputeOpener = 'BUYER' | 'SELLER';

/** Reason of the dispute. */
export type DisputeReason = 'NOT_DELIVERED' | 'QUALITY_ISSUE' | 'OTHER';

export type DisputeStatus = 'OPEN' | 'UNDER_REVIEW' | 'RESOLVED';

export type DisputeWithOrder = {
  /** Dispute id. */
  id: string;
  /** The disputed order. */
  orderId: string;
  /** The disputed milestone; absent when it is the whole order. */
  milestoneRef?: string;
  /** Who opened the dispute. */
  openedBy: DisputeOpener;
  /** Reason of the dispute. */
  reason: DisputeReason;
  /** References, such as URLs; null when none were sent. */
  evidence: string[] | null;
  status: DisputeStatus;
  /** The agent who reviews the dispute; null while it is unassigned. */
  assignedTo: string | null;
  /** The decision. */
  resolutionDecision: DisputeDecision | null;
  /** Reason for the decision; null until the dispute is resolved. */
  decisionNote: string | null;
  /** The seller's part as decided, before the platform fee. Decimal string with two decimal places. */
  sellerAmount: Amount | null;
  /** The buyer's part as decided. Decimal string with two decimal places. */
  buyerAmount: Amount | null;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  /** When the dispute was resolved. */
  resolvedAt: string | null;
  order: Order;
};

export type Escrow = {
  /** Escrow id. */
  id: string;
  /** Address of the contract; null until it is deployed. */
  providerContractId: string | null;
  /** Multi-release when the order has more than one milestone. */
  contractType: 'single-release' | 'multi-release';
  status: 'CREATING' | 'CREATED' | 'FUNDING' | 'FUNDED' | 'RELEASED' | 'REFUNDED' | 'DISPUTED';
  /** The order's amount. Decimal string with two decimal places. */
  amount: Amount;
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
  /** Your reference; unique within the order. */
  ref: string;
  title: string;
  /** The amount of this milestone. Decimal string with two decimal places. */
  amount: Amount;
  status: 'OPEN' | 'COMPLETED' | 'DISPUTED' | 'RELEASED' | 'REFUNDED';
  /** When it was completed. */
  completedAt: string | null;
  /**
   * The seller's part, before the platform fee; only when the milestone was paid on its own. Decimal string with two
   * decimal places.
   */
  releasedAmount?: Amount;
  /** The buyer's part; only when the milestone was paid on its own. Decimal string with two decimal places. */
  refundedAmount?: Amount;
  /** The platform's fee; only when the milestone was paid on its own. Decimal string with two decimal places. */
  fee?: Amount;
  /** The last dispute about this milestone; only when there was one. */
  disputeId?: string;
};

export type Order = {
  /** Order id. */
  id: string;
  status: OrderStatus;
  /** How the order ended; null until it is CLOSED. */
  finalStatus: 'RELEASED' | 'REFUNDED' | 'SPLIT' | 'CANCELED' | null;
  /** The amount that the buyer pays. Decimal string with two decimal places. */
  amount: Amount;
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
  /** Your own data, stored with the record. At most 50 keys and 8192 bytes. */
  metadata: Record<string, unknown>;
  /** The same as `platformFeePercent`: a percentage, and not an amount. */
  platformFee: string;
  /**
   * Percent of the seller's part that the platform keeps: `metadata.platformFee` of the order, or else of its policy,
   * or else 5.
   */
  platformFeePercent: string;
  /**
   * What the platform keeps, with all terms of its policy. Of a CLOSED order: what it kept. Of an open one: what it
   * keeps when all that is left is released. Cut to two places; the receipt has all places. Decimal string with two
   * decimal places.
   */
  platformFeeAmount: Amount;
  /**
   * What the seller gets, after the fee. Of a CLOSED order: what was paid. Of an open one: what the seller has got when
   * all that is left is released. Cut to two places; the receipt has all places. Decimal string with two decimal
   * places.
   */
  sellerNet: Amount;
  /**
   * What the buyer got back; 0.00 while nothing was refunded. Before they are cut to two places, the platform fee, the
   * net amount of the seller and this add up to the amount of the order, unless it was canceled. Decimal string with
   * two decimal places.
   */
  buyerRefund: Amount;
  escrow: Escrow | null;
  dispute: Dispute | null;
  /** In the order in which they were given. */
  milestones: Milestone[];
  /**
   * What was paid so far; only when a milestone was paid on its own. The four amounts add up to the amount of the
   * order, before they are cut to two places.
   */
  paid?: {
    /** What the seller got, after the platform fee. Decimal string with two decimal places. */
    seller: Amount;
    /** What the buyer got back. Decimal string with two decimal places. */
    buyer: Amount;
    /** What the platform kept. Decimal string with two decimal places. */
    fee: Amount;
    /** What is still in escrow. Decimal string with two decimal places. */
    left: Amount;
  };
  /** The operation that is running with the outside systems now. */
  operation: {
    /** Operation id. */
    id: string;
    kind: 'create-escrow' | 'fund-escrow' | 'release' | 'refund' | 'resolve-dispute' | 'release-milestone' | 'refund-milestone';
    state: 'RUNNING' | 'DONE' | 'FAILED';
    /** When the operation was requested. */
    startedAt: string;
    /** How often the operation was retried because an outside system did not answer. */
    attempts: number;
  } | null;
  /** The policy that the order took when it was created; null when it took none. */
  policy: {
    /** Id of the version. */
    id: string;
    name: string;
    version: number;
  } | null;
  /** The deadlines of its policy, earliest first; also those that have passed or became pointless. */
  deadlines: Deadline[];
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
};

export type OrderStatus = 'ORDER_CREATED' | 'FUNDS_RESERVED' | 'ESCROW_CREATING' | 'ESCROW_FUNDING' | 'IN_PROGRESS' | 'RELEASE_REQUESTED' | 'RELEASED' | 'REFUND_REQUESTED' | 'REFUNDED' | 'DISPUTED' | 'CLOSED';
