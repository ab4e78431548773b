// Sets the buyer's money aside for one order. Available goes down, reserved goes up, total is unchanged.

import { formatAmount } from '../../books/money.ts';
import { command } from '../../commit/command.ts';
import { reserveOn } from '../balances/reserve-balance.ts';
import type { OrderView } from './order.ts';
import { onOrder, putOrder, viewOf } from './order-work.ts';
import { requestedRow } from './requests.ts';

export const reserveOrder = command<{ readonly orderId: string }, OrderView>({
  name: 'reserve-order',
  ...onOrder,
  decide({ orderId }, work) {
    const view = viewOf(work, orderId);
    const { to, moves, emits } = requestedRow(work, { view, on: 'reserve' });
    const { buyerId, currency, amount, status } = view.order;
    const balance = reserveOn(work, { move: moves[0], userId: buyerId, currency, amount, orderId });
    const order = putOrder(work, { ...view.order, status: to });
    work.emit({
      type: emits[0],
      aggregateId: orderId,
      userId: buyerId,
      payload: {
        orderId,
        buyerId,
        amount: formatAmount(amount),
        currency,
        reservedBalance: formatAmount(balance.reserved),
        availableBalance: formatAmount(balance.available),
      },
    });
    work.audit({
      action: 'ORDER_FUNDS_RESERVED',
      resourceType: 'Order',
      resourceId: orderId,
      userId: buyerId,
      before: { status },
      after: { status: to, amount: formatAmount(amount), currency },
    });
    return { ...viewOf(work, orderId), order };
  },
});
