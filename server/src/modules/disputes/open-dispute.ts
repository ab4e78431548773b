// Opens a dispute about an order or one of its milestones: from now on only its resolution moves the money. Nothing is sent to the
// ledger.

import type { DisputeOpener, DisputeReason } from '@holdfast/contract/states.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { escrowRow, putEscrow } from '../escrows/escrow.ts';
import type { DisputeView, Order, OrderView } from '../orders/order.ts';
import { liveEscrow, onOrder, putOrder, viewOf } from '../orders/order-work.ts';
import { requireAllowed } from '../orders/permissions.ts';
import { requestedMilestone, requestedRow } from '../orders/requests.ts';
import type { Dispute } from './dispute.ts';

type OpenDisputeInput = {
  readonly orderId: string;
  readonly openedBy: DisputeOpener;
  readonly reason: DisputeReason;
  readonly evidence: readonly string[] | null;
};

type NewDispute = OpenDisputeInput & { readonly milestoneRef: string | null };

const putDispute = (work: UnitOfWork, input: NewDispute): Dispute => {
  const dispute: Dispute = {
    id: work.newId('dispute'),
    orderId: input.orderId,
    milestoneRef: input.milestoneRef,
    openedBy: input.openedBy,
    reason: input.reason,
    evidence: input.evidence,
    status: 'OPEN',
    assignedTo: null,
    resolutionDecision: null,
    decisionNote: null,
    sellerAmount: null,
    buyerAmount: null,
    resolvedAt: null,
    createdAt: work.now,
    updatedAt: work.now,
  };
  work.put('disputes', dispute);
  return dispute;
};

type Opened = { readonly dispute: Dispute; readonly order: Order };

/** Emits that the dispute is open. Returns what the event of the order needs too. */
const emitOpened = (work: UnitOfWork, { dispute, order }: Opened) => {
  const { id: disputeId, openedBy, reason, evidence } = dispute;
  const payload = { disputeId, orderId: order.id, openedBy, reason, openedAt: work.now };
  const userId = openedBy === 'BUYER' ? order.buyerId : order.sellerId;
  const more = evidence === null ? {} : { evidence: [...evidence] };
  work.emit({ type: 'dispute.opened', aggregateId: disputeId, userId, payload: { ...payload, ...more } });
  return { userId, payload };
};

export const openDisputeOn = (work: UnitOfWork, input: OpenDisputeInput): Dispute => {
  const { orderId, openedBy, reason } = input;
  const view = viewOf(work, orderId);
  const { to, emits } = requestedRow(work, { view, on: 'dispute' });
  const escrow = liveEscrow(view);
  const dispute = putDispute(work, { ...input, milestoneRef: null });
  putEscrow(work, { ...escrow, status: escrowRow(escrow, 'dispute').to });
  const { status } = view.order;
  putOrder(work, { ...view.order, status: to, disputeId: dispute.id });
  const { userId, payload } = emitOpened(work, { dispute, order: view.order });
  work.emit({ type: emits[0], aggregateId: orderId, userId, payload });
  work.audit({
    action: 'DISPUTE_OPENED',
    resourceType: 'Dispute',
    resourceId: dispute.id,
    userId,
    before: { orderStatus: status },
    after: { orderStatus: to, orderId, openedBy, reason, status: dispute.status },
  });
  return dispute;
};

export const openDispute = command<OpenDisputeInput, DisputeView>({
  name: 'open-dispute',
  ...onOrder,
  decide(input, work) {
    requireAllowed(work, { orderId: input.orderId, action: 'dispute', openedBy: input.openedBy });
    const dispute = openDisputeOn(work, input);
    return { dispute, order: viewOf(work, input.orderId) };
  },
});

/** Only the milestone is disputed: the order and its other milestones go on. */
export const disputeMilestoneOn = (
  work: UnitOfWork,
  { ref, ...input }: OpenDisputeInput & { readonly ref: string },
): void => {
  const { orderId, openedBy, reason } = input;
  const view = viewOf(work, orderId);
  const { order, milestone, row } = requestedMilestone(work, { view, ref, on: 'dispute.milestone' });
  const dispute = putDispute(work, { ...input, milestoneRef: ref });
  work.put('milestones', { ...milestone, status: row.to, disputeId: dispute.id });
  putOrder(work, { ...order, disputeId: dispute.id });
  const { userId, payload } = emitOpened(work, { dispute, order });
  work.emit({ type: row.emits[0], aggregateId: orderId, userId, payload: { ...payload, milestoneRef: ref } });
  work.audit({
    action: 'DISPUTE_OPENED',
    resourceType: 'Dispute',
    resourceId: dispute.id,
    userId,
    before: { milestoneStatus: milestone.status },
    after: { milestoneStatus: row.to, orderId, milestoneRef: ref, openedBy, reason, status: dispute.status },
  });
};

export const disputeMilestone = command<OpenDisputeInput & { readonly ref: string }, OrderView>({
  name: 'dispute-milestone',
  ...onOrder,
  decide(input, work) {
    const { orderId, openedBy } = input;
    requireAllowed(work, { orderId, action: 'dispute', openedBy });
    disputeMilestoneOn(work, input);
    return viewOf(work, orderId);
  },
});
