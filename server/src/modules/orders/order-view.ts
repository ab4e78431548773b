// An order with everything that belongs to it, as decisions and answers look at it.

import type { Dispute } from '../disputes/dispute.ts';
import type { Escrow } from '../escrows/escrow.ts';
import type { Operation } from '../operations/operation.ts';
import type { Milestone, Order } from './order.ts';

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
