// Claims the release or the refund of an order's escrow, after the checks of the spec in their order. No money moves yet: it moves when
// the contract has paid.

import type { AuditAction } from '@holdfast/contract/audit.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import type { Operation } from '../operations/operation.ts';
import { beginOperation } from '../operations/operation-work.ts';
import { requestedRow } from '../orders/guards.ts';
import type { OrderView } from '../orders/order-view.ts';
import { liveEscrow, onOrder, type orderRow, putOrder, viewOf } from '../orders/order-work.ts';

type Kind = 'release' | 'refund';
type RequestRow = ReturnType<typeof orderRow<Kind>>;
type BeginInput = { readonly orderId: string; readonly reason: string | null };

const ACTIONS: Readonly<Record<Kind, AuditAction>> = { release: 'RELEASE_REQUESTED', refund: 'REFUND_REQUESTED' };

/** Records the request. A payout that the provider reports counts as a request too. */
export const recordRequest = (
  work: UnitOfWork,
  view: OrderView,
  { row, kind, reason }: { row: RequestRow; kind: Kind; reason: string | null },
) => {
  const { id: orderId, buyerId, status } = view.order;
  const { to, emits } = row;
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
      const row = requestedRow(work, { view, on: kind });
      const status = recordRequest(work, view, { row, kind, reason });
      const operation = beginOperation(work, { order: view.order, kind, escrowId, ask: { reason } });
      putOrder(work, view.order, { status, operationId: operation.id });
      return operation;
    },
  });

export const beginRelease = begin('release');

export const beginRefund = begin('refund');
