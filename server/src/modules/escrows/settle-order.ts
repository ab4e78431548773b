// Pays an order's escrow out in the books and closes the order. The row of the order's machine says who is paid: the seller less the
// platform's fee, the buyer in full, or both. The caller has made sure that the contract has paid.

import type { FinalStatus } from '@holdfast/contract/states.ts';
import { transition } from '../../base/machine.ts';
import { orderFee } from '../../books/fees.ts';
import { type Amount, formatAmount, minus, ZERO } from '../../books/money.ts';
import type { MoveName } from '../../books/moves.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { auditedBalance, availableChange, balanceOf } from '../../commit/money.ts';
import { endOperation } from '../operations/operation-work.ts';
import { ORDER_MACHINE } from '../orders/machine.ts';
import type { Order, OrderView } from '../orders/order.ts';
import { liveEscrow, orderRow, putOrder } from '../orders/order-work.ts';
import { escrowRow, putEscrow } from './escrow.ts';

export type Settlement = {
  readonly view: OrderView;
  readonly on: 'release.confirmed' | 'refund.confirmed' | 'dispute.released' | 'dispute.refunded' | 'dispute.split';
  readonly finalStatus: Exclude<FinalStatus, 'CANCELED'>;
  /** Before any fee. Zero for a side that gets nothing. */
  readonly seller: Amount;
  readonly buyer: Amount;
};

type SettlementRow = ReturnType<typeof orderRow<Settlement['on']>>;

type Payout = { readonly view: OrderView; readonly row: SettlementRow; readonly amount: Amount };

/** The move, which the row has to list. */
const listed = <Name extends MoveName>({ moves }: SettlementRow, name: Name): Name => {
  if (!(moves as readonly MoveName[]).includes(name)) throw new Error(`the settlement has no move ${name}`);
  return name;
};

type Credit = {
  readonly order: Order;
  readonly userId: string;
  readonly amount: Amount;
  readonly source: 'release' | 'refund';
  readonly name: 'pay_seller' | 'refund_buyer';
};

/** Returns the user's available balance afterwards. */
const credit = (work: UnitOfWork, { order, userId, amount, source, name }: Credit): Amount => {
  const key = { userId, currency: order.currency };
  const before = balanceOf(work, key);
  work.move(name, { ...key, amount, orderId: order.id, reference: order.id });
  const after = balanceOf(work, key);
  const payload = { ...key, amount: formatAmount(amount), source, sourceId: order.id };
  work.emit({
    type: 'balance.credited',
    aggregateId: userId,
    userId,
    payload: { ...payload, ...availableChange(before, after) },
  });
  work.audit({
    action: 'BALANCE_CREDITED',
    resourceType: 'Balance',
    resourceId: userId,
    before: auditedBalance(before),
    after: { ...auditedBalance(after), amount: payload.amount, orderId: order.id, source },
  });
  return after.available;
};

const paySeller = (work: UnitOfWork, { view, row, amount: part }: Payout): void => {
  const { id: orderId, sellerId, currency } = view.order;
  const fee = orderFee(view.order, part);
  if (fee > ZERO) work.move(listed(row, 'platform_fee'), { orderId, currency, amount: fee, reference: orderId });
  const amount = minus(part, fee);
  const name = listed(row, 'pay_seller');
  const balance = credit(work, { order: view.order, userId: sellerId, amount, source: 'release', name });
  work.emit({
    type: 'order.released',
    aggregateId: orderId,
    userId: sellerId,
    platformFee: formatAmount(fee),
    payload: {
      orderId,
      sellerId,
      amount: formatAmount(amount),
      currency,
      releasedAt: work.now,
      newSellerBalance: formatAmount(balance),
    },
  });
};

const refundBuyer = (work: UnitOfWork, { view, row, amount }: Payout): void => {
  const { id: orderId, buyerId, currency } = view.order;
  const name = listed(row, 'refund_buyer');
  const balance = credit(work, { order: view.order, userId: buyerId, amount, source: 'refund', name });
  work.emit({
    type: 'order.refunded',
    aggregateId: orderId,
    userId: buyerId,
    payload: {
      orderId,
      buyerId,
      amount: formatAmount(amount),
      currency,
      refundedAt: work.now,
      newBuyerBalance: formatAmount(balance),
    },
  });
};

/** The payout that belongs to each event of the row. */
const PAYOUTS = {
  'order.released': { side: 'seller', pay: paySeller },
  'order.refunded': { side: 'buyer', pay: refundBuyer },
} as const satisfies Record<SettlementRow['emits'][number], unknown>;

const endEscrow = (work: UnitOfWork, { view, on, seller }: Settlement): void => {
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
      platformFee: formatAmount(orderFee(view.order, seller)),
      payload: { escrowId, orderId, sellerId, amount, releasedAt: work.now },
    });
  } else {
    const payload = { escrowId, orderId, buyerId, amount, refundedAt: work.now };
    work.emit({ type: event, aggregateId: escrowId, userId: buyerId, payload });
  }
};

export const settleOrder = (work: UnitOfWork, settlement: Settlement): void => {
  const { view, finalStatus, seller, buyer } = settlement;
  const { order } = view;
  if (seller + buyer !== order.amount) throw new Error("a settlement must pay out exactly the order's amount");
  const row = orderRow(view, settlement.on);
  endEscrow(work, settlement);
  for (const event of row.emits) {
    const { side, pay } = PAYOUTS[event];
    if (settlement[side] > ZERO) pay(work, { view, row, amount: settlement[side] });
  }
  const closed = transition(ORDER_MACHINE, { from: row.to, on: 'settlement.closed' });
  const status = closed.to;
  endOperation(work, { operation: view.operation, failure: null });
  putOrder(work, { ...order, status, finalStatus, operationId: null });
  const payload = { orderId: order.id, finalStatus, closedAt: work.now };
  work.emit({ type: closed.emits[0], aggregateId: order.id, userId: order.buyerId, payload });
  work.audit({
    action: finalStatus === 'REFUNDED' ? 'ORDER_REFUNDED' : 'ORDER_RELEASED',
    resourceType: 'Order',
    resourceId: order.id,
    userId: order.buyerId,
    before: { status: order.status },
    after: {
      status,
      finalStatus,
      sellerAmount: formatAmount(seller),
      buyerAmount: formatAmount(buyer),
      platformFee: formatAmount(orderFee(order, seller)),
    },
  });
};
