// Orders and disputes as tables and as lists of fields.

import type { Dispute, Milestone, Order } from '@holdfast/sdk';
import { dayOf } from '../times.ts';
import type { Out } from './out.ts';
import type { Column } from './table.ts';

export const ORDERS: readonly Column<Order>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'status', of: ({ status, finalStatus }) => (finalStatus === null ? status : `${status} ${finalStatus}`) },
  { title: 'amount', align: 'right', of: ({ amount }) => amount },
  { title: 'currency', of: ({ currency }) => currency },
  { title: 'title', of: ({ title }) => title, flexible: true },
  { title: 'created', of: ({ createdAt }) => dayOf(createdAt), minor: true },
];

export const DISPUTES: readonly Column<Dispute>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'order', of: ({ orderId }) => orderId },
  { title: 'status', of: ({ status }) => status },
  { title: 'opened by', of: ({ openedBy }) => openedBy, minor: true },
  { title: 'reason', of: ({ reason }) => reason, minor: true },
  { title: 'decision', of: ({ resolutionDecision }) => resolutionDecision },
  { title: 'to seller', align: 'right', of: ({ sellerAmount }) => sellerAmount },
  { title: 'to buyer', align: 'right', of: ({ buyerAmount }) => buyerAmount },
];

const MILESTONES: readonly Column<Milestone>[] = [
  { title: 'milestone', of: ({ ref }) => ref },
  { title: 'title', of: ({ title }) => title, flexible: true },
  { title: 'amount', align: 'right', of: ({ amount }) => amount },
  { title: 'status', of: ({ status }) => status },
];

export const showOrder = (out: Out, order: Order): void => {
  const { escrow, dispute, operation, paid = null } = order;
  out.facts([
    ['id', order.id],
    ['status', order.finalStatus === null ? order.status : `${order.status}, ${order.finalStatus}`],
    ['amount', `${order.amount} ${order.currency}`],
    ['platform fee', `${order.platformFeePercent} %, ${order.platformFeeAmount}`],
    [order.finalStatus === null ? 'seller gets' : 'seller got', order.sellerNet],
    ['buyer got back', order.buyerRefund === '0.00' ? null : order.buyerRefund],
    ['buyer', order.buyerId],
    ['seller', order.sellerId],
    ['title', order.title],
    ['reference', order.clientOrderRef],
    ['escrow', escrow && `${escrow.status} ${escrow.providerContractId ?? ''}`.trimEnd()],
    ['dispute', dispute && `${dispute.id} ${dispute.status}`],
    ['paid', paid && `${paid.seller} to the seller, ${paid.buyer} to the buyer, ${paid.fee} fee, ${paid.left} left`],
    [
      'operation',
      operation &&
        `${operation.kind}, ${operation.attempts === 1 ? 'retried once' : `retried ${operation.attempts} times`}`,
    ],
    ['created', dayOf(order.createdAt)],
  ]);
  if (order.milestones.length > 0) {
    out.line('');
    out.table(order.milestones, MILESTONES);
  }
};

export const showDispute = (out: Out, dispute: Dispute): void =>
  out.facts([
    ['id', dispute.id],
    ['order', dispute.orderId],
    ['status', dispute.status],
    ['opened by', dispute.openedBy],
    ['reason', dispute.reason],
    ['evidence', dispute.evidence?.join(', ') ?? null],
    ['assigned to', dispute.assignedTo],
    ['decision', dispute.resolutionDecision],
    ['to the seller', dispute.sellerAmount],
    ['to the buyer', dispute.buyerAmount],
    ['note', dispute.decisionNote],
    ['opened', dayOf(dispute.createdAt)],
    ['resolved', dayOf(dispute.resolvedAt)],
  ]);
