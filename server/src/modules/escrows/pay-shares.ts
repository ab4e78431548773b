// Pays shares of an order's escrow out in the books: the seller's less the platform's fee, the buyer's in full. The caller has made sure
// that the contract has paid, and its row of a machine lists the moves.

import { partFee } from '../../books/fees.ts';
import { type Amount, formatAmount, minus, ZERO } from '../../books/money.ts';
import type { MoveName } from '../../books/moves.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { auditedBalance, availableChange, balanceOf } from '../../commit/money.ts';
import type { Order } from '../orders/order.ts';

type Row = { readonly moves: readonly MoveName[] };

/** The move, which the row has to list. */
const listed = <Name extends MoveName>({ moves }: Row, name: Name): Name => {
  if (!moves.includes(name)) throw new Error(`the settlement has no move ${name}`);
  return name;
};

type Credit = {
  readonly order: Order;
  readonly userId: string;
  readonly amount: Amount;
  readonly source: 'release' | 'refund';
  readonly name: 'pay_seller' | 'refund_buyer';
  readonly milestoneRef: string | undefined;
};

/** Statements and the journal show it. */
const describe = (milestoneRef: string | undefined): { readonly description?: string } =>
  milestoneRef === undefined ? {} : { description: `Milestone ${milestoneRef}` };

const credit = (work: UnitOfWork, { order, userId, amount, source, name, milestoneRef }: Credit): void => {
  // A fixed fee may take a whole share.
  if (amount === ZERO) return;
  const key = { userId, currency: order.currency };
  const before = balanceOf(work, key);
  work.move(name, { ...key, amount, orderId: order.id, reference: order.id, ...describe(milestoneRef) });
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
};

type SellerShare = {
  readonly order: Order;
  readonly row: Row;
  readonly amount: Amount;
  /** What the seller got of this order before, before fees. */
  readonly before: Amount;
  /** Where a milestone is paid on its own. */
  readonly milestoneRef?: string;
};

/** Returns the fee. */
export const paySellerShare = (work: UnitOfWork, share: SellerShare): Amount => {
  const { order, row, amount: part, before, milestoneRef } = share;
  const { id: orderId, sellerId: userId, currency } = order;
  const fee = partFee(order, { before, part });
  if (fee > ZERO) {
    const moving = { orderId, currency, amount: fee, reference: orderId, ...describe(milestoneRef) };
    work.move(listed(row, 'platform_fee'), moving);
  }
  const name = listed(row, 'pay_seller');
  credit(work, { order, userId, amount: minus(part, fee), source: 'release', name, milestoneRef });
  return fee;
};

export const payBuyerShare = (work: UnitOfWork, share: Omit<SellerShare, 'before'>): void => {
  const { order, row, amount, milestoneRef } = share;
  credit(work, {
    order,
    userId: order.buyerId,
    amount,
    source: 'refund',
    name: listed(row, 'refund_buyer'),
    milestoneRef,
  });
};
