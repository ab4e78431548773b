// Pays what is left of an order's escrow out in the books and closes the order. The row of the order's machine says who is paid: the
// seller less the platform's fee, the buyer in full, or both. The caller has made sure that the contract has paid.

import type { FinalStatus } from '@holdfast/contract/states.ts';
import { transition } from '../../base/machine.ts';
import { partFee } from '../../books/fees.ts';
import { type Amount, formatAmount, minus, plus, ZERO } from '../../books/money.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { balanceOf } from '../../commit/money.ts';
import { endOperation } from '../operations/operation-work.ts';
import { ORDER_MACHINE } from '../orders/machine.ts';
import { MILESTONE_MACHINE } from '../orders/milestone-machine.ts';
import type { OrderView } from '../orders/order.ts';
import { liveEscrow, orderRow, putOrder } from '../orders/order-work.ts';
import { isPaid, leftOf, type Paid, paidSoFar, sharesOfRest } from '../orders/paid-milestones.ts';
import { escrowRow, putEscrow } from './escrow.ts';
import { payBuyerShare, paySellerShare } from './pay-shares.ts';

type Settled = Exclude<FinalStatus, 'CANCELED'>;

export type Settlement = {
  readonly view: OrderView;
  readonly on: 'release.confirmed' | 'refund.confirmed' | 'dispute.released' | 'dispute.refunded' | 'dispute.split';
  readonly finalStatus: Settled;
  /** Of what is left, before any fee. Zero for a side that gets nothing. */
  readonly seller: Amount;
  readonly buyer: Amount;
};

/** The row when both sides were paid, by this settlement or by milestones before it. */
const SPLIT = {
  'release.confirmed': 'release.split',
  'refund.confirmed': 'refund.split',
  'dispute.released': 'dispute.split',
  'dispute.refunded': 'dispute.split',
  'dispute.split': 'dispute.split',
} as const satisfies Record<Settlement['on'], string>;

type ClosingTrigger =
  | Settlement['on']
  | (typeof SPLIT)[Settlement['on']]
  | 'milestones.released'
  | 'milestones.refunded'
  | 'milestones.split';

type Closing = {
  readonly view: OrderView;
  readonly on: ClosingTrigger;
  readonly finalStatus: Settled;
  /** Of the whole order. */
  readonly total: Paid;
};

const endEscrow = (work: UnitOfWork, { view, on, total }: Closing): void => {
  const known = liveEscrow(view);
  const { to, emits } = escrowRow(known, on);
  const event = emits[0];
  const endedAt = event === 'escrow.released' ? { releasedAt: work.now } : { refundedAt: work.now };
  const { id: escrowId, amount: units } = putEscrow(work, { ...known, status: to, ...endedAt });
  const { id: orderId, buyerId, sellerId } = view.order;
  const amount = formatAmount(units);
  if (event === 'escrow.released') {
    work.emit({
      type: event,
      aggregateId: escrowId,
      userId: sellerId,
      platformFee: formatAmount(total.fee),
      payload: { escrowId, orderId, sellerId, amount, releasedAt: work.now },
    });
  } else {
    const payload = { escrowId, orderId, buyerId, amount, refundedAt: work.now };
    work.emit({ type: event, aggregateId: escrowId, userId: buyerId, payload });
  }
};

/** The totals of the order, also where milestones were paid before: a reader of the stream gets each amount of an order once. */
const emitReleased = (work: UnitOfWork, { view: { order }, total }: Closing): void => {
  const { id: orderId, sellerId, currency } = order;
  work.emit({
    type: 'order.released',
    aggregateId: orderId,
    userId: sellerId,
    platformFee: formatAmount(total.fee),
    payload: {
      orderId,
      sellerId,
      amount: formatAmount(minus(total.seller, total.fee)),
      currency,
      releasedAt: work.now,
      newSellerBalance: formatAmount(balanceOf(work, { userId: sellerId, currency }).available),
    },
  });
};

const emitRefunded = (work: UnitOfWork, { view: { order }, total }: Closing): void => {
  const { id: orderId, buyerId, currency } = order;
  work.emit({
    type: 'order.refunded',
    aggregateId: orderId,
    userId: buyerId,
    payload: {
      orderId,
      buyerId,
      amount: formatAmount(total.buyer),
      currency,
      refundedAt: work.now,
      newBuyerBalance: formatAmount(balanceOf(work, { userId: buyerId, currency }).available),
    },
  });
};

const emitClosed = (work: UnitOfWork, closing: Closing): void => {
  const { view, on, finalStatus, total } = closing;
  const { order } = view;
  const { to: status, emits } = transition(ORDER_MACHINE, { from: orderRow(view, on).to, on: 'settlement.closed' });
  endOperation(work, { operation: view.operation, failure: null });
  putOrder(work, { ...order, status, finalStatus, operationId: null });
  const payload = { orderId: order.id, finalStatus, closedAt: work.now };
  work.emit({ type: emits[0], aggregateId: order.id, userId: order.buyerId, payload });
  work.audit({
    action: finalStatus === 'REFUNDED' ? 'ORDER_REFUNDED' : 'ORDER_RELEASED',
    resourceType: 'Order',
    resourceId: order.id,
    userId: order.buyerId,
    before: { status: order.status },
    after: {
      status,
      finalStatus,
      sellerAmount: formatAmount(total.seller),
      buyerAmount: formatAmount(total.buyer),
      platformFee: formatAmount(total.fee),
    },
  });
};

/** Closes an order whose last milestone was paid on its own. */
export const closePaidOrder = (work: UnitOfWork, view: OrderView): void => {
  const total = paidSoFar(view.milestones);
  if (leftOf(view) !== ZERO) throw new Error('an order is closed only when everything is paid');
  const isSplit = total.seller > ZERO && total.buyer > ZERO;
  const one = total.seller > ZERO ? 'RELEASED' : 'REFUNDED';
  const finalStatus = isSplit ? 'SPLIT' : one;
  const on = ({ SPLIT: 'milestones.split', RELEASED: 'milestones.released', REFUNDED: 'milestones.refunded' } as const)[
    finalStatus
  ];
  const closing: Closing = { view, on, finalStatus, total };
  endEscrow(work, closing);
  const { emits } = orderRow(view, on);
  for (const event of emits) (event === 'order.released' ? emitReleased : emitRefunded)(work, closing);
  emitClosed(work, closing);
};

/** The milestones that were not paid on their own show their share too. */
const markRest = (work: UnitOfWork, { view, seller }: Pick<Settlement, 'view' | 'seller'>): void => {
  for (const { milestone, paid } of sharesOfRest(view, seller)) {
    const on = paid.seller > ZERO ? 'rest.released' : 'rest.refunded';
    work.put('milestones', {
      ...milestone,
      status: transition(MILESTONE_MACHINE, { from: milestone.status, on }).to,
      releasedAmount: paid.seller,
      refundedAmount: paid.buyer,
      fee: paid.fee,
    });
  }
};

export const settleOrder = (work: UnitOfWork, { view, seller, buyer, ...asked }: Settlement): void => {
  const { order } = view;
  if (seller + buyer !== leftOf(view)) throw new Error('a settlement must pay out exactly what is left of the order');
  const before = paidSoFar(view.milestones);
  const isLater = view.milestones.some(isPaid);
  const total = {
    seller: plus(before.seller, seller),
    buyer: plus(before.buyer, buyer),
    fee: plus(before.fee, partFee(order, { before: before.seller, part: seller })),
  };
  const isSplit = isLater && total.seller > ZERO && total.buyer > ZERO;
  const on = isSplit ? SPLIT[asked.on] : asked.on;
  const closing: Closing = { view, on, finalStatus: isSplit ? 'SPLIT' : asked.finalStatus, total };
  const row = orderRow(view, on);
  endEscrow(work, closing);
  for (const event of row.emits) {
    if (event === 'order.released' && total.seller > ZERO) {
      if (seller > ZERO) paySellerShare(work, { order, row, amount: seller, before: before.seller });
      emitReleased(work, closing);
    }
    if (event === 'order.refunded' && total.buyer > ZERO) {
      if (buyer > ZERO) payBuyerShare(work, { order, row, amount: buyer });
      emitRefunded(work, closing);
    }
  }
  if (isLater) markRest(work, { view, seller });
  emitClosed(work, closing);
};
