// Records that a milestone of an order is done. The contract on the ledger is updated when the order is released.

import { formatAmount } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { followDeadlines } from '../policies/follow-deadlines.ts';
import type { OrderView } from './order.ts';
import { liveEscrow, onOrder, viewOf } from './order-work.ts';
import { milestoneOf } from './paid-milestones.ts';
import { requireAllowed } from './permissions.ts';
import { milestoneRow, requestedRow } from './requests.ts';

type MilestoneInput = { readonly orderId: string; readonly ref: string };

export const completeMilestoneOn = (work: UnitOfWork, { orderId, ref }: MilestoneInput): void => {
  const view = viewOf(work, orderId);
  const milestone = milestoneOf(view, ref);
  requestedRow(work, { view, on: 'complete_milestone' });
  const { id: escrowId } = liveEscrow(view);
  const { to: status, emits } = milestoneRow(work, { view, milestone, on: 'complete' });
  work.put('milestones', { ...milestone, status, completedAt: work.now });
  followDeadlines(work, view.order);
  const { buyerId, sellerId } = view.order;
  work.emit({
    type: emits[0],
    aggregateId: escrowId,
    userId: sellerId,
    payload: {
      escrowId,
      orderId,
      milestoneRef: ref,
      milestoneTitle: milestone.title,
      amount: formatAmount(milestone.amount),
      completedAt: work.now,
    },
  });
  work.audit({
    action: 'MILESTONE_COMPLETED',
    resourceType: 'Order',
    resourceId: orderId,
    userId: buyerId,
    before: { ref, status: milestone.status },
    after: { ref, status },
  });
};

export const completeMilestone = command<MilestoneInput, OrderView>({
  name: 'complete-milestone',
  ...onOrder,
  decide(input, work) {
    requireAllowed(work, { orderId: input.orderId, action: 'complete_milestone' });
    completeMilestoneOn(work, input);
    return viewOf(work, input.orderId);
  },
});
