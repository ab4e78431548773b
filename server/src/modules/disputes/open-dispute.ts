// Opens a dispute about an order: from now on only its resolution moves the money. Nothing is sent to the ledger.

import type { DisputeOpener, DisputeReason } from '@holdfast/contract/states.ts';
import { Fault } from '../../base/domain-error.ts';
import { command, type Desk } from '../../commit/command.ts';
import type { DisputeView } from '../orders/order-view.ts';
import { escrowRow, liveEscrow, onOrder, orderRow, putEscrow, putOrder, viewOf } from '../orders/order-work.ts';
import type { Dispute } from './dispute.ts';

export type OpenDisputeInput = {
  readonly orderId: string;
  readonly openedBy: DisputeOpener;
  readonly reason: DisputeReason;
  readonly evidence: readonly string[] | null;
};

export const openDisputeOn = (desk: Desk, { orderId, openedBy, reason, evidence }: OpenDisputeInput): Dispute => {
  const view = viewOf(desk, orderId);
  const { to } = orderRow(view, 'dispute');
  const unresolved = desk.listBy('disputes', 'order', orderId).find(({ status }) => status !== 'RESOLVED');
  if (unresolved) throw new Fault('DISPUTE_ALREADY_OPEN', { details: { disputeId: unresolved.id } });
  const escrow = liveEscrow(view);
  const dispute: Dispute = {
    id: desk.newId('dispute'),
    ...{ orderId, openedBy, reason, evidence, status: 'OPEN', assignedTo: null },
    ...{ resolutionDecision: null, decisionNote: null, sellerAmount: null, buyerAmount: null, resolvedAt: null },
    createdAt: desk.now,
    updatedAt: desk.now,
  };
  desk.put('disputes', dispute);
  putEscrow(desk, escrow, { status: escrowRow(escrow, 'dispute').to });
  const { buyerId, sellerId, status } = view.order;
  putOrder(desk, view.order, { status: to, disputeId: dispute.id });
  const told = { disputeId: dispute.id, orderId, openedBy, reason, openedAt: desk.now };
  const metadata = { userId: openedBy === 'BUYER' ? buyerId : sellerId };
  desk.emit(
    'dispute.opened',
    dispute.id,
    { ...told, ...(evidence === null ? {} : { evidence: [...evidence] }) },
    metadata,
  );
  desk.emit('order.disputed', orderId, told, metadata);
  desk.audit({
    action: 'DISPUTE_OPENED',
    resourceType: 'Dispute',
    resourceId: dispute.id,
    userId: metadata.userId,
    before: { orderStatus: status },
    after: { orderStatus: to, orderId, openedBy, reason, status: dispute.status },
  });
  return dispute;
};

export const openDispute = command<OpenDisputeInput, DisputeView>({
  name: 'open-dispute',
  ...onOrder,
  decide(input, desk) {
    const dispute = openDisputeOn(desk, input);
    return { dispute, order: viewOf(desk, input.orderId) };
  },
});
