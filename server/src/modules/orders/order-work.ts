// How commands look at an order and move it on: the rows it is made of, by the rows of its machines and in no other way.

import { DomainError, type ErrorDetails } from '../../base/domain-error.ts';
import { allowedActions, rowOf } from '../../base/machine.ts';
import { available, orderEscrow, platformFees, reserved } from '../../books/accounts.ts';
import type { Needs, UnitOfWork } from '../../commit/command.ts';
import { reservationNeed } from '../balances/reservations.ts';
import type { Escrow } from '../escrows/escrow.ts';
import { ESCROW_MACHINE, type EscrowTrigger } from '../escrows/machine.ts';
import { ORDER_MACHINE, type OrderTrigger } from './machine.ts';
import { inPlace, type Order } from './order.ts';
import type { OrderView } from './order-view.ts';

export const orderNeeds = (orderId: string): Required<Pick<Needs, 'rows'>> => ({
  rows: [
    { table: 'orders', id: orderId },
    { table: 'milestones', by: 'order', value: orderId },
    { table: 'escrows', by: 'order', value: orderId },
    { table: 'disputes', by: 'order', value: orderId },
  ],
});

/** What only the order itself can name: its people, their money, and what is being carried out for it. */
export const orderNeedsNext = (orderId: string, work: UnitOfWork): Required<Needs> => {
  const order = work.find('orders', orderId);
  if (!order) return { rows: [], accounts: [] };
  const { buyerId, sellerId, currency, operationId } = order;
  return {
    rows: [
      { table: 'users', id: buyerId },
      { table: 'users', id: sellerId },
      reservationNeed({ userId: buyerId, currency }, orderId),
      ...(operationId === null ? [] : [{ table: 'operations', id: operationId } as const]),
    ],
    accounts: [
      ...[buyerId, sellerId].flatMap((userId) => [available(userId, currency), reserved(userId, currency)]),
      orderEscrow(orderId, currency),
      platformFees(currency),
    ],
  };
};

/** Needs of a command that works on one order and nothing else. */
export const onOrder = {
  needs: ({ orderId }: { orderId: string }) => orderNeeds(orderId),
  needsNext: ({ orderId }: { orderId: string }, work: UnitOfWork) => orderNeedsNext(orderId, work),
} as const;

/** Refuses when there is no such order. */
export const viewOf = (work: UnitOfWork, orderId: string): OrderView => {
  const order = work.get('orders', orderId);
  return {
    order,
    milestones: work.listBy('milestones', 'order', orderId).sort(inPlace),
    escrow: order.escrowId === null ? null : work.get('escrows', order.escrowId),
    dispute: order.disputeId === null ? null : work.get('disputes', order.disputeId),
    operation: order.operationId === null ? null : work.get('operations', order.operationId),
  };
};

/** So that whoever meets an order under way can see by what, and where a dispute about it goes on. */
export const underWay = ({ operation, dispute }: Pick<OrderView, 'operation' | 'dispute'>): ErrorDetails => {
  const disputed = dispute && dispute.status !== 'RESOLVED' ? { disputeId: dispute.id } : {};
  if (!operation) return disputed;
  const { id, kind, state, step, createdAt: startedAt } = operation;
  return { ...disputed, operation: { id, kind, state, step, startedAt } };
};

/** Refuses, with what is under way, when the order's state does not allow the trigger. */
export const orderRow = (view: OrderView, on: OrderTrigger) =>
  rowOf(ORDER_MACHINE, { from: view.order.status, on, details: underWay(view) });

export const escrowRow = (escrow: Escrow, on: EscrowTrigger) => rowOf(ESCROW_MACHINE, { from: escrow.status, on });

export const putOrder = (work: UnitOfWork, order: Order, change: Partial<Order>): Order => {
  const changed = { ...order, ...change, updatedAt: work.now };
  work.put('orders', changed);
  return changed;
};

export const putEscrow = (work: UnitOfWork, escrow: Escrow, change: Partial<Escrow>): Escrow => {
  const changed = { ...escrow, ...change, updatedAt: work.now };
  work.put('escrows', changed);
  return changed;
};

/** The order's escrow; an order that has none is in no state to be settled. */
export const liveEscrow = (view: OrderView): Escrow => {
  if (view.escrow) return view.escrow;
  throw new DomainError('INVALID_STATE', {
    message: `The order has no escrow: it is ${view.order.status}.`,
    details: {
      currentState: view.order.status,
      allowedActions: allowedActions(ORDER_MACHINE, view.order.status),
      ...underWay(view),
    },
    status: 400,
  });
};
