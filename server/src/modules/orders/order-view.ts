// An order with the rows that belong to it, as commands and replies use it.

import type { Dispute } from '../disputes/dispute.ts';
import type { Escrow } from '../escrows/escrow.ts';
import type { Operation } from '../operations/operation.ts';
import type { Milestone, Order } from './order.ts';

export type OrderView = {
  readonly order: Order;
  /** Sorted by place. */
  readonly milestones: readonly Milestone[];
  readonly escrow: Escrow | null;
  readonly dispute: Dispute | null;
  /** The operation that is running. */
  readonly operation: Operation | null;
};

/** An order that has a live escrow. */
export type WithEscrow = OrderView & { readonly escrow: Escrow };

export type DisputeView = { readonly dispute: Dispute; readonly order: OrderView };
