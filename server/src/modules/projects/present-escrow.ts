// A project's escrow as Surface B shows it.

import type { Escrow } from '../escrows/escrow.ts';
import type { OrderView } from '../orders/order-view.ts';
import { showNumber } from './surface/numbers.ts';

const escrowOf = ({ order, escrow }: OrderView): Escrow => {
  if (!escrow) throw new Error(`the order ${order.id} has lost its escrow`);
  return escrow;
};

export const presentEscrow = (view: OrderView, projectId: string) => {
  const { id, amount, currency, status, createdAt } = escrowOf(view);
  return {
    escrow_id: id,
    project_id: projectId,
    buyer_id: view.order.buyerId,
    seller_id: view.order.sellerId,
    amount: showNumber(amount),
    currency,
    status: status.toLowerCase(),
    created_at: createdAt,
  };
};

export const presentRelease = (view: OrderView) => {
  const { id, amount, status, releasedAt, updatedAt } = escrowOf(view);
  return {
    escrow_id: id,
    status: status.toLowerCase(),
    released_amount: showNumber(amount),
    released_at: releasedAt ?? updatedAt,
  };
};
