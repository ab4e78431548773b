// What a dispute is about: the whole order, what is left of it, or one milestone.

import type { Amount, DisputeWithOrder } from '@holdfast/sdk';
import { add, amountOf, toWire } from '../../parts/money/amounts.ts';

const concernedAmount = ({ order, milestoneRef, status, sellerAmount, buyerAmount }: DisputeWithOrder): Amount => {
  if (status === 'RESOLVED') return toWire(add(amountOf(sellerAmount), amountOf(buyerAmount))) as Amount;
  const milestone = order.milestones.find(({ ref }) => ref === milestoneRef);
  return milestone?.amount ?? order.paid?.left ?? order.amount;
};

/** The dispute with the amount that its decision pays out instead of the amount of the order. */
export const withConcernedAmount = (dispute: DisputeWithOrder): DisputeWithOrder => ({
  ...dispute,
  order: { ...dispute.order, amount: concernedAmount(dispute) },
});
