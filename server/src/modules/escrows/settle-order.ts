// Pays an order's escrow out in the books and closes the order: to the seller less the platform's fee, to the buyer in
// full, or both. The caller has decided that the contract has paid.

import type { FinalStatus } from '@holdfast/contract/states.ts';
import { step } from '../../base/machine.ts';
import { afterFee, platformFee } from '../../books/fees.ts';
import { type Amount, formatAmount, ZERO } from '../../books/money.ts';
import type { Desk } from '../../commit/command.ts';
import { auditedBalance, availableChange, balanceOf, move } from '../../commit/money.ts';
import { endOperation } from '../operations/operation-work.ts';
import { ORDER_MACHINE, type OrderTrigger } from '../orders/machine.ts';
import type { OrderView } from '../orders/order-view.ts';
import { escrowRow, liveEscrow, orderRow, putEscrow, putOrder } from '../orders/order-work.ts';
import type { EscrowTrigger } from './machine.ts';

export type Settlement = {
  readonly on: OrderTrigger & EscrowTrigger;
  readonly finalStatus: Exclude<FinalStatus, 'CANCELED'>;
  /** Before any fee; a side that gets nothing is zero. */
  readonly seller: Amount;
  readonly buyer: Amount;
};

type Paid = { readonly userId: string; readonly amount: Amount; readonly source: 'release' | 'refund' };

/** Moves it, and tells of it. */
const credit = (desk: Desk, { order }: OrderView, { userId, amount, source }: Paid): Amount => {
  const purse = { userId, currency: order.currency };
  const before = balanceOf(desk, purse);
  const name = source === 'release' ? 'pay_seller' : 'refund_buyer';
  move(desk, name, { ...purse, amount, orderId: order.id, reference: order.id });
  const after = balanceOf(desk, purse);
  const told = { ...purse, amount: formatAmount(amount), source, sourceId: order.id };
  desk.emit('balance.credited', userId, { ...told, ...availableChange(before, after) }, { userId });
  desk.audit({
    action: 'BALANCE_CREDITED',
    resourceType: 'Balance',
    resourceId: userId,
    before: auditedBalance(before),
    after: { ...auditedBalance(after), amount: told.amount, orderId: order.id, source },
  });
  return after.available;
};

const paySeller = (desk: Desk, view: OrderView, part: Amount): void => {
  const { id: orderId, sellerId, currency, platformFeeBps } = view.order;
  const fee = platformFee(part, platformFeeBps);
  if (fee > ZERO) move(desk, 'platform_fee', { orderId, currency, amount: fee, reference: orderId });
  const amount = afterFee(part, platformFeeBps);
  const balance = credit(desk, view, { userId: sellerId, amount, source: 'release' });
  desk.emit(
    'order.released',
    orderId,
    {
      ...{ orderId, sellerId, amount: formatAmount(amount), currency, releasedAt: desk.now },
      newSellerBalance: formatAmount(balance),
    },
    { userId: sellerId, platformFee: formatAmount(fee) },
  );
};

const refundBuyer = (desk: Desk, view: OrderView, amount: Amount): void => {
  const { id: orderId, buyerId, currency } = view.order;
  const balance = credit(desk, view, { userId: buyerId, amount, source: 'refund' });
  desk.emit(
    'order.refunded',
    orderId,
    {
      ...{ orderId, buyerId, amount: formatAmount(amount), currency, refundedAt: desk.now },
      newBuyerBalance: formatAmount(balance),
    },
    { userId: buyerId },
  );
};

const endEscrow = (desk: Desk, view: OrderView, { on, seller }: Settlement): void => {
  const known = liveEscrow(view);
  const { to } = escrowRow(known, on);
  const isRelease = to === 'RELEASED';
  const escrow = putEscrow(desk, known, { status: to, [isRelease ? 'releasedAt' : 'refundedAt']: desk.now });
  const { id: orderId, buyerId, sellerId, platformFeeBps } = view.order;
  const [escrowId, amount] = [escrow.id, formatAmount(escrow.amount)];
  if (isRelease) {
    const metadata = { userId: sellerId, platformFee: formatAmount(platformFee(seller, platformFeeBps)) };
    desk.emit('escrow.released', escrowId, { escrowId, orderId, sellerId, amount, releasedAt: desk.now }, metadata);
  } else {
    const told = { escrowId, orderId, buyerId, amount, refundedAt: desk.now };
    desk.emit('escrow.refunded', escrowId, told, { userId: buyerId });
  }
};

export const settleOrder = (desk: Desk, view: OrderView, settlement: Settlement): void => {
  const { order } = view;
  const { finalStatus, seller, buyer } = settlement;
  if (seller + buyer !== order.amount) throw new Error('a settlement must pay out exactly what the order is about');
  const { to: settled } = orderRow(view, settlement.on);
  endEscrow(desk, view, settlement);
  if (seller > ZERO) paySeller(desk, view, seller);
  if (buyer > ZERO) refundBuyer(desk, view, buyer);
  const status = step(ORDER_MACHINE, { from: settled, on: 'settlement.closed' });
  endOperation(desk, view, null);
  putOrder(desk, order, { status, finalStatus, operationId: null });
  const closed = { orderId: order.id, finalStatus, closedAt: desk.now };
  desk.emit('order.closed', order.id, closed, { userId: order.buyerId });
  desk.audit({
    action: finalStatus === 'REFUNDED' ? 'ORDER_REFUNDED' : 'ORDER_RELEASED',
    resourceType: 'Order',
    resourceId: order.id,
    userId: order.buyerId,
    before: { status: order.status },
    after: {
      ...{ status, finalStatus, sellerAmount: formatAmount(seller), buyerAmount: formatAmount(buyer) },
      platformFee: formatAmount(platformFee(seller, order.platformFeeBps)),
    },
  });
};
