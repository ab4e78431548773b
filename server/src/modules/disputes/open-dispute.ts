// Opens a dispute about an order: from now on only its resolution moves the money. Nothing is sent to the ledger.

import type { DisputeOpener, DisputeReason } from '@holdfast/contract/states.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { escrowRow, putEscrow } from '../escrows/escrow.ts';
import { requestedRow } from '../orders/guards.ts';
import type { DisputeView } from '../orders/order.ts';
import { liveEscrow, onOrder, putOrder, viewOf } from '../orders/order-work.ts';
import type { Dispute } from './dispute.ts';

type OpenDisputeInput = {
  readonly orderId: string;
  readonly openedBy: DisputeOpener;
  readonly reason: DisputeReason;
  readonly evidence: readonly string[] | null;
};

export const openDisputeOn = (work: UnitOfWork, { orderId, openedBy, reason, evidence }: OpenDisputeInput): Dispute => {
  const view = viewOf(work, orderId);
  const { to, emits } = requestedRow(work, { view, on: 'dispute' });
  const escrow = liveEscrow(view);
  const dispute: Dispute = {
    id: work.newId('dispute'),
    orderId,
    openedBy,
    reason,
    evidence,
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
  putEscrow(work, { ...escrow, status: escrowRow(escrow, 'dispute').to });
  const { buyerId, sellerId, status } = view.order;
  putOrder(work, { ...view.order, status: to, disputeId: dispute.id });
  const payload = { disputeId: dispute.id, orderId, openedBy, reason, openedAt: work.now };
  const userId = openedBy === 'BUYER' ? buyerId : sellerId;
  work.emit({
    type: 'dispute.opened',
    aggregateId: dispute.id,
    userId,
    payload: { ...payload, ...(evidence === null ? {} : { evidence: [...evidence] }) },
  });
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
    const dispute = openDisputeOn(work, input);
    return { dispute, order: viewOf(work, input.orderId) };
  },
});
