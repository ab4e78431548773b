// How commands read an order and change its state: only by the rows of its machine.

import { DomainError, type ErrorDetails } from '../../base/domain-error.ts';
import { allowedActions, transition } from '../../base/machine.ts';
import { type Account, available, contractHolding, orderEscrow, platformFees, reserved } from '../../books/accounts.ts';
import type { Needs, UnitOfWork } from '../../commit/command.ts';
import { reservationNeed } from '../balances/reservation.ts';
import type { Escrow } from '../escrows/escrow.ts';
import { deadlinesOf, followDeadlines, policyNeeds } from '../policies/follow-deadlines.ts';
import { ORDER_MACHINE, type OrderTrigger } from './machine.ts';
import { inPlace, type Order, type OrderView } from './order.ts';

export const orderNeeds = (orderId: string): Required<Pick<Needs, 'rows'>> => ({
  rows: [
    { table: 'orders', id: orderId },
    { table: 'milestones', by: 'order', value: orderId },
    { table: 'escrows', by: 'order', value: orderId },
    { table: 'disputes', by: 'order', value: orderId },
  ],
});

/** Where the books have the money that was paid into the contract of an escrow; null while there is no contract. */
export const holdingOf = ({ calls, providerContractId, currency }: Escrow): Account | null => {
  const deployed = calls.find(({ call }) => call === 'deploy')?.contractId;
  const contractId = deployed ?? providerContractId;
  return contractId === null ? null : contractHolding(contractId, currency);
};

/** Rows that only the order itself can name: its users, their balances, its operation, and what contracts that were set aside hold. */
export const orderNeedsNext = (orderId: string, work: UnitOfWork): Required<Needs> => {
  const order = work.find('orders', orderId);
  if (!order) return { rows: [], accounts: [] };
  const { buyerId, sellerId, currency, operationId, policyId } = order;
  const setAside = work.listBy('escrows', { by: 'order', value: orderId }).filter((escrow) => escrow.setAside);
  return {
    rows: [
      { table: 'users', id: buyerId },
      { table: 'users', id: sellerId },
      reservationNeed({ userId: buyerId, currency }, orderId),
      ...(operationId === null ? [] : [{ table: 'operations', id: operationId } as const]),
      ...(policyId === null ? [] : policyNeeds({ policyId, orderId })),
    ],
    accounts: [
      ...[buyerId, sellerId].flatMap((userId) => [available(userId, currency), reserved(userId, currency)]),
      orderEscrow(orderId, currency),
      platformFees(currency),
      ...setAside.flatMap((escrow) => holdingOf(escrow) ?? []),
    ],
  };
};

/** The needs of a command on one order. */
export const onOrder = {
  needs: ({ orderId }: { orderId: string }) => orderNeeds(orderId),
  needsNext: ({ orderId }: { orderId: string }, work: UnitOfWork) => orderNeedsNext(orderId, work),
} as const;

/** Refuses when there is no such order. */
export const viewOf = (work: UnitOfWork, orderId: string): OrderView => {
  const order = work.get('orders', orderId);
  return {
    order,
    milestones: work.listBy('milestones', { by: 'order', value: orderId }).sort(inPlace),
    escrow: order.escrowId === null ? null : work.get('escrows', order.escrowId),
    dispute: order.disputeId === null ? null : work.get('disputes', order.disputeId),
    operation: order.operationId === null ? null : work.get('operations', order.operationId),
    policy: order.policyId === null ? null : work.get('policies', order.policyId),
    deadlines: order.policyId === null ? [] : deadlinesOf(work, orderId),
  };
};

/** Shows the caller which operation runs on the order, and which dispute is open. */
export const underWay = ({ operation, dispute }: Pick<OrderView, 'operation' | 'dispute'>): ErrorDetails => {
  const disputed = dispute && dispute.status !== 'RESOLVED' ? { disputeId: dispute.id } : {};
  if (!operation) return disputed;
  const { id, kind, state, step, createdAt: startedAt } = operation;
  return { ...disputed, operation: { id, kind, state, step, startedAt } };
};

/** Refuses, and names the running operation, when the order's state does not allow the trigger. */
export const orderRow = <On extends OrderTrigger>(view: OrderView, on: On) =>
  transition(ORDER_MACHINE, { from: view.order.status, on, details: underWay(view) });

/** Every command that changes an order uses this, so the deadlines follow its state in the same commit. */
export const putOrder = (work: UnitOfWork, order: Order): Order => {
  const changed = { ...order, updatedAt: work.now };
  work.put('orders', changed);
  followDeadlines(work, changed);
  return changed;
};

/** The order's escrow. A request is refused before this, by its row; a report about an order without an escrow is refused here. */
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
