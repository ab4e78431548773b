// Milestones that were paid on their own: what was paid so far, and what of the order is left. An order of which no milestone was paid
// on its own has everything left. Milestones that were paid together have a share of that payment.

import { DomainError } from '../../base/domain-error.ts';
import { partFee } from '../../books/fees.ts';
import { type Amount, least, minus, plus, sumOf, ZERO } from '../../books/money.ts';
import type { Milestone, OrderView } from './order.ts';

export type Paid = {
  /** Before the fee. */
  readonly seller: Amount;
  readonly buyer: Amount;
  readonly fee: Amount;
};

export const isPaid = ({ status }: Pick<Milestone, 'status'>): boolean =>
  status === 'RELEASED' || status === 'REFUNDED';

export const paidSoFar = (milestones: readonly Milestone[]): Paid => ({
  seller: sumOf(milestones.map(({ releasedAmount }) => releasedAmount ?? ZERO)),
  buyer: sumOf(milestones.map(({ refundedAmount }) => refundedAmount ?? ZERO)),
  fee: sumOf(milestones.map(({ fee }) => fee ?? ZERO)),
});

/** What of the order is still in escrow, once the escrow is funded. */
export const leftOf = ({ order, milestones }: Pick<OrderView, 'order' | 'milestones'>): Amount => {
  const { seller, buyer } = paidSoFar(milestones);
  const left = minus(order.amount, plus(seller, buyer));
  if (left < ZERO) throw new Error('the milestones were paid more than the order');
  return left;
};

/** Refuses when the order has no such milestone. */
export const milestoneOf = ({ milestones }: Pick<OrderView, 'milestones'>, ref: string): Milestone => {
  const found = milestones.find((each) => each.ref === ref);
  if (found) return found;
  throw new DomainError('MILESTONE_NOT_FOUND', {
    details: { milestoneRefs: milestones.map((each) => each.ref) },
  });
};

type SharesOfRest = { readonly milestone: Milestone; readonly paid: Paid };

/** The share of each milestone that was not paid on its own, in the order in which the contract pays them. `seller` is of all of them. */
export const sharesOfRest = (
  { order, milestones }: Pick<OrderView, 'order' | 'milestones'>,
  seller: Amount,
): readonly SharesOfRest[] => {
  let left = seller;
  let before = paidSoFar(milestones).seller;
  return milestones
    .filter((each) => !isPaid(each))
    .map((milestone) => {
      const part = least(left, milestone.amount);
      const fee = partFee(order, { before, part });
      left = minus(left, part);
      before = plus(before, part);
      return { milestone, paid: { seller: part, buyer: minus(milestone.amount, part), fee } };
    });
};
