// Claims the funding of an escrow. The escrow is FUNDING and what is reserved for the order is locked, so that nobody can
// spend it while it may be on its way to the contract.

import { Fault } from '../../base/domain-error.ts';
import { formatAmount, ZERO } from '../../books/money.ts';
import { command, type Desk } from '../../commit/command.ts';
import { reservationId } from '../balances/reservation.ts';
import { lockReservation } from '../balances/reservations.ts';
import type { Operation } from '../operations/operation.ts';
import { beginOperation } from '../operations/operation-work.ts';
import type { OrderView } from '../orders/order-view.ts';
import { escrowRow, onOrder, orderRow, putEscrow, putOrder, underWay, viewOf } from '../orders/order-work.ts';

type StartInput = { readonly orderId: string };

/** Refuses when less than the order's amount is still reserved for it. */
export const requireReserve = (desk: Desk, { order }: Pick<OrderView, 'order'>): void => {
  const { id, buyerId, currency, amount } = order;
  const reserved = desk.find('reservations', reservationId(buyerId, currency, id))?.remaining ?? ZERO;
  if (reserved >= amount) return;
  throw new Fault('RESERVE_NOT_FOUND', {
    details: { requested: formatAmount(amount), reserved: formatAmount(reserved), currency, orderId: id },
  });
};

const wrongEscrow = (view: OrderView): Fault =>
  new Fault('INTERNAL_ERROR', {
    message: `The escrow is ${view.escrow?.status ?? 'missing'}, and only one that is CREATED can be funded.`,
    details: { currentState: view.escrow?.status ?? null, ...underWay(view) },
  });

const begin = (desk: Desk, view: OrderView): NonNullable<OrderView['escrow']> => {
  const { escrow, order } = view;
  orderRow(view, 'fund_escrow');
  if (escrow?.status !== 'CREATED' || escrow.providerContractId === null) throw wrongEscrow(view);
  requireReserve(desk, view);
  lockReservation(desk, { userId: order.buyerId, currency: order.currency, orderId: order.id, locked: true });
  const funding = putEscrow(desk, escrow, { status: escrowRow(escrow, 'fund').to });
  const [escrowId, orderId] = [escrow.id, order.id];
  desk.emit(
    'escrow.funding_started',
    escrowId,
    { escrowId, orderId, providerContractId: escrow.providerContractId, amount: formatAmount(escrow.amount) },
    { userId: order.buyerId },
  );
  return funding;
};

const audit = (desk: Desk, { order }: OrderView, { id, status }: NonNullable<OrderView['escrow']>): void =>
  desk.audit({
    action: 'ESCROW_FUNDING_REQUESTED',
    resourceType: 'Escrow',
    resourceId: id,
    userId: order.buyerId,
    before: { status: 'CREATED' },
    after: { status, orderId: order.id, amount: formatAmount(order.amount), currency: order.currency },
  });

export const startFunding = command<StartInput, Operation>({
  name: 'start-funding',
  ...onOrder,
  decide({ orderId }, desk) {
    const view = viewOf(desk, orderId);
    const escrow = begin(desk, view);
    const { walletId } = escrow.buyer;
    const operation = beginOperation(desk, view, { kind: 'fund-escrow', escrowId: escrow.id, walletId });
    putOrder(desk, view.order, { operationId: operation.id });
    audit(desk, view, escrow);
    return operation;
  },
});

/** An outside system told that funding has begun: nothing of ours is carried out for it. */
export const noteFundingStarted = (desk: Desk, { orderId }: StartInput): void => {
  const view = viewOf(desk, orderId);
  audit(desk, view, begin(desk, view));
};
