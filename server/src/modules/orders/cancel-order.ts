// Calls an order off before anything of it is on the ledger, and gives the buyer back what was reserved for it.

import { Fault } from '../../base/domain-error.ts';
import { type Amount, ZERO } from '../../books/money.ts';
import { command, type Desk } from '../../commit/command.ts';
import { giveBack } from '../balances/cancel-reservation.ts';
import { reservationId } from '../balances/reservation.ts';
import { isCalled } from '../escrows/escrow.ts';
import type { OrderView } from './order-view.ts';
import { onOrder, orderRow, putOrder, viewOf } from './order-work.ts';

const held = (desk: Desk, { id, buyerId, currency }: OrderView['order']): Amount =>
  desk.find('reservations', reservationId(buyerId, currency, id))?.remaining ?? ZERO;

/** A contract that was set aside is empty, unless its funding came through after all: then the money is not here. */
const requireEmpty = (desk: Desk, { order, escrow }: OrderView): void => {
  const funded = desk
    .listBy('escrows', 'order', order.id)
    .some((each) => each.transactionId !== null || isCalled(each, { call: 'fund', milestone: null }));
  if (!escrow && !funded) return;
  throw new Fault('INVALID_STATE', {
    message: 'The order has an escrow contract with money in it. Create the escrow again to go on with it.',
    details: { currentState: order.status, allowedActions: ['create_escrow'] },
    status: 400,
  });
};

export const cancelOrder = command<{ readonly orderId: string; readonly reason: string | null }, OrderView>({
  name: 'cancel-order',
  ...onOrder,
  decide({ orderId, reason }, desk) {
    const view = viewOf(desk, orderId);
    const { to } = orderRow(view, 'cancel');
    requireEmpty(desk, view);
    const { buyerId, currency, status } = view.order;
    const amount = held(desk, view.order);
    const fundsReleased = amount > ZERO;
    if (fundsReleased) giveBack(desk, { userId: buyerId, currency, amount, orderId, reason: 'cancel' });
    const order = putOrder(desk, view.order, { status: to, finalStatus: 'CANCELED' });
    const canceled = { orderId, buyerId, canceledBy: desk.context.actor.id, canceledAt: desk.now, fundsReleased };
    const metadata = { userId: buyerId };
    desk.emit('order.canceled', orderId, { ...canceled, ...(reason === null ? {} : { reason }) }, metadata);
    desk.emit('order.closed', orderId, { orderId, finalStatus: 'CANCELED', closedAt: desk.now }, metadata);
    desk.audit({
      action: 'ORDER_CANCELED',
      resourceType: 'Order',
      resourceId: orderId,
      userId: buyerId,
      before: { status },
      after: { status: to, finalStatus: 'CANCELED', reason, fundsReleased },
    });
    return { ...view, order };
  },
});
