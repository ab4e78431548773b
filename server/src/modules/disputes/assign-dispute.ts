// Assigns a dispute to the reviewer who will decide it.

import { transition } from '../../base/machine.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import type { DisputeView } from '../orders/order.ts';
import { orderNeeds, orderNeedsNext, viewOf } from '../orders/order-work.ts';
import type { Dispute } from './dispute.ts';
import { DISPUTE_MACHINE } from './machine.ts';

type AssignInput = { readonly disputeId: string; readonly orderId: string; readonly assignedTo: string };

export const assignDisputeOn = (work: UnitOfWork, { disputeId, orderId, assignedTo }: AssignInput): Dispute => {
  const known = work.get('disputes', disputeId);
  const view = viewOf(work, orderId);
  const { order } = view;
  const { to: status, emits } = transition(DISPUTE_MACHINE, {
    from: known.status,
    on: 'assign',
    // While an operation runs on the order, the dispute is not resolved either.
    ...(view.operation ? { allowed: () => [] } : {}),
  });
  const dispute = { ...known, status, assignedTo, updatedAt: work.now };
  work.put('disputes', dispute);
  const payload = { disputeId, orderId, reviewedBy: assignedTo, reviewStartedAt: work.now };
  work.emit({ type: emits[0], aggregateId: disputeId, userId: order.buyerId, payload });
  work.audit({
    action: 'DISPUTE_ASSIGNED',
    resourceType: 'Dispute',
    resourceId: disputeId,
    userId: order.buyerId,
    before: { status: known.status },
    after: { status, assignedTo },
  });
  return dispute;
};

export const assignDispute = command<AssignInput, DisputeView>({
  name: 'assign-dispute',
  needs: ({ disputeId, orderId }) => ({ rows: [{ table: 'disputes', id: disputeId }, ...orderNeeds(orderId).rows] }),
  needsNext: ({ orderId }, work) => orderNeedsNext(orderId, work),
  decide(input, work) {
    const dispute = assignDisputeOn(work, input);
    return { dispute, order: viewOf(work, input.orderId) };
  },
});
