// Releases or refunds one milestone of an order: the request, its confirmation when the contract has paid, and its failure. The order
// stays IN_PROGRESS until every milestone is paid. No money moves before the confirmation.

import type { AuditAction } from '@holdfast/contract/audit.ts';
import { transition } from '../../base/machine.ts';
import { type Amount, formatAmount, minus, ZERO } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { balanceOf } from '../../commit/money.ts';
import type { Operation } from '../operations/operation.ts';
import { beginOperation, endOperation, OperationHeldElsewhere } from '../operations/operation-work.ts';
import { MILESTONE_MACHINE } from '../orders/milestone-machine.ts';
import type { Milestone, OrderView } from '../orders/order.ts';
import { liveEscrow, onOrder, putOrder, viewOf } from '../orders/order-work.ts';
import { isPaid, milestoneOf, paidSoFar } from '../orders/paid-milestones.ts';
import { requireAllowed } from '../orders/permissions.ts';
import { requestedMilestone } from '../orders/requests.ts';
import { payBuyerShare, paySellerShare } from './pay-shares.ts';
import { closePaidOrder } from './settle-order.ts';

type Kind = 'release' | 'refund';
type BeginInput = { readonly orderId: string; readonly ref: string; readonly reason: string | null };

const REQUESTED: Readonly<Record<Kind, AuditAction>> = {
  release: 'MILESTONE_RELEASE_REQUESTED',
  refund: 'MILESTONE_REFUND_REQUESTED',
};

type RequestRecord = Pick<BeginInput, 'orderId' | 'reason'> & {
  readonly milestone: Milestone;
  readonly kind: Kind;
  /** Null: the provider reports a payment that was not requested here. */
  readonly operationId: string | null;
};

export const recordMilestoneRequest = (work: UnitOfWork, record: RequestRecord): void => {
  const { orderId, milestone, kind, reason, operationId } = record;
  const { ref, status, amount } = milestone;
  work.audit({
    action: REQUESTED[kind],
    resourceType: 'Order',
    resourceId: orderId,
    userId: work.get('orders', orderId).buyerId,
    before: { ref, status },
    after: { ref, amount: formatAmount(amount), reason, operationId },
  });
};

export const beginMilestoneOn = (
  work: UnitOfWork,
  { orderId, ref, reason, kind }: BeginInput & { readonly kind: Kind },
): Operation => {
  const view = viewOf(work, orderId);
  const { order, milestone } = requestedMilestone(work, { view, ref, on: `${kind}.milestone` });
  const operation = beginOperation(work, {
    order,
    kind: `${kind}-milestone`,
    escrowId: liveEscrow(view).id,
    ask: { reason, milestoneRef: ref },
  });
  putOrder(work, { ...order, operationId: operation.id });
  recordMilestoneRequest(work, { orderId, milestone, kind, reason, operationId: operation.id });
  return operation;
};

const begin = (kind: Kind) =>
  command<BeginInput, Operation>({
    name: `begin-${kind}-milestone`,
    ...onOrder,
    decide(input, work) {
      requireAllowed(work, { orderId: input.orderId, action: kind });
      return beginMilestoneOn(work, { ...input, kind });
    },
  });

export const beginMilestoneRelease = begin('release');
export const beginMilestoneRefund = begin('refund');

type MilestoneSettlement = {
  readonly view: OrderView;
  readonly ref: string;
  readonly on: 'release.confirmed' | 'refund.confirmed' | 'dispute.released' | 'dispute.refunded' | 'dispute.split';
  /** Before any fee. Zero for a side that gets nothing. */
  readonly seller: Amount;
  readonly buyer: Amount;
};

type Share = {
  readonly view: OrderView;
  readonly ref: string;
  readonly row: ReturnType<typeof transition<(typeof MILESTONE_MACHINE)['rows'][number], MilestoneSettlement['on']>>;
  readonly amount: Amount;
};

/** Returns the fee. */
const releaseShare = (work: UnitOfWork, { view, ref, row, amount }: Share): Amount => {
  const { order, milestones } = view;
  const { id: orderId, sellerId, currency } = order;
  const fee = paySellerShare(work, { order, row, amount, before: paidSoFar(milestones).seller, milestoneRef: ref });
  work.emit({
    type: 'order.milestone_released',
    aggregateId: orderId,
    userId: sellerId,
    platformFee: formatAmount(fee),
    payload: {
      orderId,
      milestoneRef: ref,
      sellerId,
      amount: formatAmount(minus(amount, fee)),
      currency,
      fee: formatAmount(fee),
      releasedAt: work.now,
      newSellerBalance: formatAmount(balanceOf(work, { userId: sellerId, currency }).available),
    },
  });
  return fee;
};

const refundShare = (work: UnitOfWork, { view: { order }, ref, row, amount }: Share): void => {
  const { id: orderId, buyerId, currency } = order;
  payBuyerShare(work, { order, row, amount, milestoneRef: ref });
  work.emit({
    type: 'order.milestone_refunded',
    aggregateId: orderId,
    userId: buyerId,
    payload: {
      orderId,
      milestoneRef: ref,
      buyerId,
      amount: formatAmount(amount),
      currency,
      refundedAt: work.now,
      newBuyerBalance: formatAmount(balanceOf(work, { userId: buyerId, currency }).available),
    },
  });
};

/** The contract has paid the milestone. With the last one the order is closed. */
export const settleMilestone = (work: UnitOfWork, { view, ref, on, seller, buyer }: MilestoneSettlement): void => {
  const { order } = view;
  const milestone = milestoneOf(view, ref);
  if (seller + buyer !== milestone.amount) throw new Error("a settlement must pay out exactly the milestone's amount");
  const row = transition(MILESTONE_MACHINE, { from: milestone.status, on });
  const fee = seller > ZERO ? releaseShare(work, { view, ref, row, amount: seller }) : ZERO;
  if (buyer > ZERO) refundShare(work, { view, ref, row, amount: buyer });
  const paid: Milestone = { ...milestone, status: row.to, releasedAmount: seller, refundedAmount: buyer, fee };
  work.put('milestones', paid);
  work.audit({
    action: row.to === 'REFUNDED' ? 'MILESTONE_REFUNDED' : 'MILESTONE_RELEASED',
    resourceType: 'Order',
    resourceId: order.id,
    userId: order.buyerId,
    before: { ref, status: milestone.status },
    after: {
      ref,
      status: row.to,
      sellerAmount: formatAmount(seller),
      buyerAmount: formatAmount(buyer),
      platformFee: formatAmount(fee),
    },
  });
  const milestones = view.milestones.map((each) => (each.id === paid.id ? paid : each));
  if (milestones.every(isPaid)) {
    closePaidOrder(work, { ...view, milestones });
    return;
  }
  endOperation(work, { operation: view.operation, failure: null });
  putOrder(work, { ...order, operationId: null });
};

type ConfirmInput = { readonly orderId: string; readonly operationId: string };

/** The operation's view. Another process may have ended the operation, and the order may have another one by now. */
export const heldView = (work: UnitOfWork, { orderId, operationId }: ConfirmInput) => {
  const view = viewOf(work, orderId);
  const { operation } = view;
  if (operation?.id !== operationId) throw new OperationHeldElsewhere();
  return { view, operation };
};

const confirm = (kind: Kind) =>
  command<ConfirmInput, void>({
    name: `confirm-${kind}-milestone`,
    ...onOrder,
    decide(input, work) {
      const { view, operation } = heldView(work, input);
      const ref = operation.ask.milestoneRef ?? '';
      const { amount } = milestoneOf(view, ref);
      const shares = kind === 'release' ? { seller: amount, buyer: ZERO } : { seller: ZERO, buyer: amount };
      settleMilestone(work, { view, ref, on: `${kind}.confirmed`, ...shares });
    },
  });

export const confirmMilestoneRelease = confirm('release');
export const confirmMilestoneRefund = confirm('refund');
