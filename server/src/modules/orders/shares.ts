// Who gets what of an order. Of a closed order: what was paid. Of an open one: what a release of everything that is left would give,
// together with the milestones that were paid before.

import { orderFee } from '../../books/fees.ts';
import { type Amount, minus, plus, ZERO } from '../../books/money.ts';
import type { OrderView } from './order.ts';
import { isPaid, leftOf, type Paid, paidSoFar } from './paid-milestones.ts';

type Settled = Pick<OrderView, 'order' | 'milestones' | 'dispute'>;

export type Shares = {
  /** What the platform keeps. */
  readonly fee: Amount;
  /** What the seller gets, after the fee. */
  readonly seller: Amount;
  /** What the buyer gets back. */
  readonly buyer: Amount;
};

/** The seller's part of an order that was settled as a whole, before the fee. */
const partOfSeller = ({ order, dispute }: Settled): Amount => {
  if (order.finalStatus === 'RELEASED') return order.amount;
  return order.finalStatus === 'SPLIT' ? (dispute?.sellerAmount ?? ZERO) : ZERO;
};

const paidOut = (settled: Settled): Paid => {
  const { order, milestones } = settled;
  // A settlement after such payments marks every milestone with its share.
  if (milestones.some(isPaid)) return paidSoFar(milestones);
  if (order.finalStatus === 'CANCELED') return { seller: ZERO, buyer: ZERO, fee: ZERO };
  const seller = partOfSeller(settled);
  return { seller, buyer: minus(order.amount, seller), fee: orderFee(order, seller) };
};

const onRelease = (settled: Settled): Paid => {
  const { seller: before, buyer } = paidSoFar(settled.milestones);
  const seller = plus(before, leftOf(settled));
  return { seller, buyer, fee: orderFee(settled.order, seller) };
};

export const sharesOf = (settled: Settled): Shares => {
  const { seller, buyer, fee } = settled.order.finalStatus === null ? onRelease(settled) : paidOut(settled);
  return { fee, seller: minus(seller, fee), buyer };
};
