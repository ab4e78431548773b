// Cancels an order before any of its money is on the ledger, and gives the buyer back what was reserved for it.

import { type Amount, ZERO } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { COMPARISON_NEED } from '../../ledger/holds/begin-hold.ts';
import { drawReserved } from '../balances/release-reserved.ts';
import { reservationId } from '../balances/reservation.ts';
import type { OrderView } from './order.ts';
import { onOrder, orderNeeds, putOrder, viewOf } from './order-work.ts';
import { requireAllowed } from './permissions.ts';
import { requestedRow } from './requests.ts';

const held = (work: UnitOfWork, { id, buyerId, currency }: OrderView['order']): Amount =>
  work.find('reservations', reservationId({ userId: buyerId, currency }, id))?.remaining ?? ZERO;

type CancelInput = { readonly orderId: string; readonly reason: string | null };

/** A contract that was never funded is set aside, as after a failed funding. */
const setAside = (work: UnitOfWork, { escrow }: OrderView): void => {
  if (escrow) work.put('escrows', { ...escrow, setAside: true, updatedAt: work.now });
};

/** On `deadline.unfunded` also with a contract into which nothing was paid; on `correction.canceled` the caller has checked the contracts. */
export const cancelOrderOn = (
  work: UnitOfWork,
  { orderId, reason, on }: CancelInput & { readonly on: 'cancel' | 'deadline.unfunded' | 'correction.canceled' },
): void => {
  const view = viewOf(work, orderId);
  const { to, moves, emits } = requestedRow(work, { view, on });
  const { buyerId, currency, status } = view.order;
  const amount = held(work, view.order);
  const fundsReleased = amount > ZERO;
  if (fundsReleased)
    drawReserved(work, { move: moves[0], userId: buyerId, currency, amount, orderId, reason: 'cancel' });
  setAside(work, view);
  putOrder(work, { ...view.order, status: to, finalStatus: 'CANCELED', escrowId: null });
  const canceled = { orderId, buyerId, canceledBy: work.context.actor.id, canceledAt: work.now, fundsReleased };
  work.emit({
    type: emits[0],
    aggregateId: orderId,
    userId: buyerId,
    payload: { ...canceled, ...(reason === null ? {} : { reason }) },
  });
  work.emit({
    type: emits[1],
    aggregateId: orderId,
    userId: buyerId,
    payload: { orderId, finalStatus: 'CANCELED', closedAt: work.now },
  });
  work.audit({
    action: 'ORDER_CANCELED',
    resourceType: 'Order',
    resourceId: orderId,
    userId: buyerId,
    before: { status },
    after: { status: to, finalStatus: 'CANCELED', reason, fundsReleased },
  });
};

export const cancelOrder = command<CancelInput, OrderView>({
  name: 'cancel-order',
  needs: ({ orderId }) => ({ rows: [...orderNeeds(orderId).rows, COMPARISON_NEED] }),
  needsNext: onOrder.needsNext,
  decide(input, work) {
    requireAllowed(work, { orderId: input.orderId, action: 'cancel' });
    cancelOrderOn(work, { ...input, on: 'cancel' });
    return viewOf(work, input.orderId);
  },
});
