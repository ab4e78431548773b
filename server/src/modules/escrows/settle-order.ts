// Pays an order's escrow out in the books and closes the order: to the seller less the platform's fee, to the buyer in
// full, or both. The caller has decided that the contract has paid.

import type { FinalStatus } from '@holdfast/contract/states.ts';
import { step } from '../../base/machine.ts';
import { afterFee, platformFee } from '../../books/fees.ts';
import { type Amount, formatAmount, ZERO } from '../../books/money.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { auditedBalance, availableChange, balanceOf, move } from '../../commit/money.ts';
import { endOperation } from '../operations/operation-work.ts';
import { ORDER_MACHINE, type OrderTrigger } from '../orders/machine.ts';
import type { OrderView } from '../orders/order-view.ts';
import { liveEscrow, orderRow, putOrder } from '../orders/order-work.ts';
import { escrowRow, putEscrow } from './escrow-work.ts';
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
const credit = (work: UnitOfWork, { order }: OrderView, { userId, amount, source }: Paid): Amount => {
  const purse = { userId, currency: order.currency };
  const before = balanceOf(work, purse);
  const name = source === 'release' ? 'pay_seller' : 'refund_buyer';
  move(work, name, { ...purse, amount, orderId: order.id, reference: order.id });
  const after = balanceOf(work, purse);
  const told = { ...purse, amount: formatAmount(amount), source, sourceId: order.id };
  work.emit('balance.credited', userId, { ...told, ...availableChange(before, after) }, { userId });
  work.audit({
    action: 'BALANCE_CREDITED',
    resourceType: 'Balance',
    resourceId: userId,
    before: auditedBalance(before),
    after: { ...auditedBalance(after), amount: told.amount, orderId: order.id, source },
  });
  return after.available;
};

const paySeller = (work: UnitOfWork, view: OrderView, part: Amount): void => {
  const { id: orderId, sellerId, currency, platformFeeBps } = view.order;
  const fee = platformFee(part, platformFeeBps);
  if (fee > ZERO) move(work, 'platform_fee', { orderId, currency, amount: fee, reference: orderId });
  const amount = afterFee(part, platformFeeBps);
  const balance = credit(work, view, { userId: sellerId, amount, source: 'release' });
  work.emit(
    'order.released',
    orderId,
    {
      ...{ orderId, sellerId, amount: formatAmount(amount), currency, releasedAt: work.now },
      newSellerBalance: formatAmount(balance),
    },
    { userId: sellerId, platformFee: formatAmount(fee) },
  );
};

const refundBuyer = (work: UnitOfWork, view: OrderView, amount: Amount): void => {
  const { id: orderId, buyerId, currency } = view.order;
  const balance = credit(work, view, { userId: buyerId, amount, source: 'refund' });
  work.emit(
    'order.refunded',
    orderId,
    {
      ...{ orderId, buyerId, amount: formatAmount(amount), currency, refundedAt: work.now },
      newBuyerBalance: formatAmount(balance),
    },
    { userId: buyerId },
  );
};

const endEscrow = (work: UnitOfWork, view: OrderView, { on, seller }: Settlement): void => {
  const known = liveEscrow(view);
  const { to } = escrowRow(known, on);
  const isRelease = to === 'RELEASED';
  const escrow = putEscrow(work, known, { status: to, [isRelease ? 'releasedAt' : 'refundedAt']: work.now });
  const { id: orderId, buyerId, sellerId, platformFeeBps } = view.order;
  const [escrowId, amount] = [escrow.id, formatAmount(escrow.amount)];
  if (isRelease) {
    const metadata = { userId: sellerId, platformFee: formatAmount(platformFee(seller, platformFeeBps)) };
    work.emit('escrow.released', escrowId, { escrowId, orderId, sellerId, amount, releasedAt: work.now }, metadata);
  } else {
    const told = { escrowId, orderId, buyerId, amount, refundedAt: work.now };
    work.emit('escrow.refunded', escrowId, told, { userId: buyerId });
  }
};

export const settleOrder = (work: UnitOfWork, view: OrderView, settlement: Settlement): void => {
  const { order } = view;
  const { finalStatus, seller, buyer } = settlement;
  if (seller + buyer !== order.amount) throw new Error('a settlement must pay out exactly what the order is about');
  const { to: settled } = orderRow(view, settlement.on);
  endEscrow(work, view, settlement);
  if (seller > ZERO) paySeller(work, view, seller);
  if (buyer > ZERO) refundBuyer(work, view, buyer);
  const status = step(ORDER_MACHINE, { from: settled, on: 'settlement.closed' });
  endOperation(work, view, null);
  putOrder(work, order, { status, finalStatus, operationId: null });
  const closed = { orderId: order.id, finalStatus, closedAt: work.now };
  work.emit('order.closed', order.id, closed, { userId: order.buyerId });
  work.audit({
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
