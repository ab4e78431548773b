// Confirms a release or a refund: the contract has paid, so the order is settled and closed.

import { ZERO } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import type { OrderView } from '../orders/order-view.ts';
import { onOrder, orderRow, viewOf } from '../orders/order-work.ts';
import { recordRequest } from './begin-settlement.ts';
import { settleOrder } from './settle-order.ts';

type OrderInput = { readonly orderId: string };

/** The provider may report a payout that was not requested here: it is recorded as requested now, without the guards of a request. */
const requested = (work: UnitOfWork, orderId: string, kind: 'release' | 'refund'): OrderView => {
  const view = viewOf(work, orderId);
  if (view.order.status !== 'IN_PROGRESS') return view;
  const reason = 'The escrow provider reported it.';
  const status = recordRequest(work, view, { row: orderRow(view, kind), kind, reason });
  return { ...view, order: { ...view.order, status } };
};

export const confirmRelease = (work: UnitOfWork, { orderId }: OrderInput): void => {
  const view = requested(work, orderId, 'release');
  const paid = { seller: view.order.amount, buyer: ZERO };
  settleOrder(work, view, { on: 'release.confirmed', finalStatus: 'RELEASED', ...paid });
};

export const confirmRefund = (work: UnitOfWork, { orderId }: OrderInput): void => {
  const view = requested(work, orderId, 'refund');
  const paid = { seller: ZERO, buyer: view.order.amount };
  settleOrder(work, view, { on: 'refund.confirmed', finalStatus: 'REFUNDED', ...paid });
};

const confirm = (name: string, decide: (work: UnitOfWork, input: OrderInput) => void) =>
  command<OrderInput, void>({ name, ...onOrder, decide: (input, work) => decide(work, input) });

export const confirmReleaseCommand = confirm('confirm-release', confirmRelease);

export const confirmRefundCommand = confirm('confirm-refund', confirmRefund);
