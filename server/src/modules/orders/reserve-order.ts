// Sets the buyer's money aside for one order. Available goes down, reserved goes up, total is unchanged.

import { formatAmount } from '../../books/money.ts';
import { command } from '../../commit/command.ts';
import { reserveOn } from '../balances/reserve-balance.ts';
import type { OrderView } from './order-view.ts';
import { onOrder, orderRow, putOrder, viewOf } from './order-work.ts';

export const reserveOrder = command<{ readonly orderId: string }, OrderView>({
  name: 'reserve-order',
  ...onOrder,
  decide({ orderId }, desk) {
    const view = viewOf(desk, orderId);
    const { to } = orderRow(view, 'reserve');
    const { buyerId, currency, amount, status } = view.order;
    const balance = reserveOn(desk, { userId: buyerId, currency, amount, orderId });
    const order = putOrder(desk, view.order, { status: to });
    desk.emit(
      'order.funds_reserved',
      orderId,
      {
        ...{ orderId, buyerId, amount: formatAmount(amount), currency },
        reservedBalance: formatAmount(balance.reserved),
        availableBalance: formatAmount(balance.available),
      },
      { userId: buyerId },
    );
    desk.audit({
      action: 'ORDER_FUNDS_RESERVED',
      resourceType: 'Order',
      resourceId: orderId,
      userId: buyerId,
      before: { status },
      after: { status: to, amount: formatAmount(amount), currency },
    });
    return { ...view, order };
  },
});
