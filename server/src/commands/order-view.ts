// An order with everything that belongs to it, as decisions and answers look at it.

import type { Dispute } from '../domain/dispute.ts';
import type { Escrow } from '../domain/escrow.ts';
import type { Operation } from '../domain/operation.ts';
import type { Milestone, Order } from '../domain/order.ts';

export type OrderView = {
  readonly order: Order;
  /** In their order. */
  readonly milestones: readonly Milestone[];
  readonly escrow: Escrow | null;
  readonly dispute: Dispute | null;
  /** What is being carried out right now. */
  readonly operation: Operation | null;
};

export type DisputeView = { readonly dispute: Dispute; readonly order: OrderView };
