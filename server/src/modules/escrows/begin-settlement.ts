// Claims the release or the refund of an order's escrow, after the checks of the spec in their order. No money moves yet: it moves when
// the contract has paid.

import type { AuditAction } from '@holdfast/contract/audit.ts';
import { DomainError } from '../../base/domain-error.ts';
import { allowedActions } from '../../base/machine.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import type { Operation } from '../operations/operation.ts';
import { beginOperation } from '../operations/operation-work.ts';
import { ORDER_MACHINE } from '../orders/machine.ts';
import type { OrderView } from '../orders/order-view.ts';
import { liveEscrow, onOrder, orderRow, putOrder, underWay, viewOf } from '../orders/order-work.ts';

type Kind = 'release' | 'refund';
type BeginInput = { readonly orderId: string; readonly reason: string | null };

const ACTIONS: Readonly<Record<Kind, AuditAction>> = { release: 'RELEASE_REQUESTED', refund: 'REFUND_REQUESTED' };

const requireNoDispute = ({ dispute }: OrderView): void => {
  if (dispute && dispute.status !== 'RESOLVED') {
    throw new DomainError('DISPUTE_ALREADY_OPEN', { details: { disputeId: dispute.id } });
  }
};

const refuse = (view: OrderView, message: string, details: Record<string, unknown>): never => {
  throw new DomainError('INVALID_STATE', {
    message,
    details: {
      currentState: view.order.status,
      allowedActions: allowedActions(ORDER_MACHINE, view.order.status),
      ...details,
      ...underWay(view),
    },
    status: 400,
  });
};

const requireCompleted = (view: OrderView): void => {
  const open = view.milestones.filter(({ status }) => status !== 'COMPLETED').map(({ ref }) => ref);
  if (open.length === 0) return;
  refuse(view, `These milestones are not completed: ${open.join(', ')}.`, { incompleteMilestones: open });
};

const requireFunded = (view: OrderView): void => {
  const { status } = liveEscrow(view);
  if (status !== 'FUNDED') refuse(view, `The escrow is ${status}, not FUNDED.`, { escrowStatus: status });
};

/** Records the request. A payout that the provider reports counts as a request too. */
export const recordRequest = (
  work: UnitOfWork,
  view: OrderView,
  { kind, reason }: { kind: Kind; reason: string | null },
) => {
  const { id: orderId, buyerId, status } = view.order;
  const { to, emits } = orderRow(view, kind);
  const payload = { orderId, requestedBy: work.context.actor.id, requestedAt: work.now };
  work.emit(emits[0], orderId, payload, { userId: buyerId });
  work.audit({
    action: ACTIONS[kind],
    resourceType: 'Order',
    resourceId: orderId,
    userId: buyerId,
    before: { status },
    after: { status: to, reason },
  });
  return to;
};

const begin = (kind: Kind) =>
  command<BeginInput, Operation>({
    name: `begin-${kind}`,
    ...onOrder,
    decide({ orderId, reason }, work) {
      const view = viewOf(work, orderId);
      const { id: escrowId } = liveEscrow(view);
      orderRow(view, kind);
      requireNoDispute(view);
      if (kind === 'release') requireCompleted(view);
      requireFunded(view);
      const status = recordRequest(work, view, { kind, reason });
      const operation = beginOperation(work, view, { kind, escrowId, ask: { reason } });
      putOrder(work, view.order, { status, operationId: operation.id });
      return operation;
    },
  });

export const beginRelease = begin('release');

export const beginRefund = begin('refund');
