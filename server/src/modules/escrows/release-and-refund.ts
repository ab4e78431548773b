// Releases or refunds an order's escrow: the request, its confirmation when the contract has paid, and its failure. No money moves
// before the confirmation.

import type { AuditAction } from '@holdfast/contract/audit.ts';
import { ZERO } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import type { Operation } from '../operations/operation.ts';
import { beginOperation, endOperation, requireHeld } from '../operations/operation-work.ts';
import { requireNoDispute } from '../orders/guards.ts';
import type { Order, OrderView } from '../orders/order.ts';
import { liveEscrow, onOrder, orderRow, putOrder, viewOf } from '../orders/order-work.ts';
import { leftOf } from '../orders/paid-milestones.ts';
import { requireAllowed } from '../orders/permissions.ts';
import { requestedRow } from '../orders/requests.ts';
import { retryDeadline } from '../policies/retry-deadline.ts';
import { settleOrder } from './settle-order.ts';

type Kind = 'release' | 'refund';
type OrderInput = { readonly orderId: string };
type BeginInput = { readonly orderId: string; readonly reason: string | null };

type RequestRecord = {
  readonly order: Order;
  readonly row: ReturnType<typeof orderRow<Kind>>;
  readonly kind: Kind;
  readonly reason: string | null;
};

const ACTIONS: Readonly<Record<Kind, AuditAction>> = { release: 'RELEASE_REQUESTED', refund: 'REFUND_REQUESTED' };

/** Records the request. A payout that the provider reports counts as a request too. */
const recordRequest = (work: UnitOfWork, { order, row, kind, reason }: RequestRecord) => {
  const { id: orderId, buyerId, status } = order;
  const { to, emits } = row;
  const payload = { orderId, requestedBy: work.context.actor.id, requestedAt: work.now };
  work.emit({ type: emits[0], aggregateId: orderId, userId: buyerId, payload });
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

/** Claims the operation, after the checks of the spec in their order. */
export const beginSettlementOn = (
  work: UnitOfWork,
  { orderId, reason, kind }: BeginInput & { kind: Kind },
): Operation => {
  const view = viewOf(work, orderId);
  const row = requestedRow(work, { view, on: kind });
  const { id: escrowId } = liveEscrow(view);
  const status = recordRequest(work, { order: view.order, row, kind, reason });
  const operation = beginOperation(work, { order: view.order, kind, escrowId, ask: { reason } });
  putOrder(work, { ...view.order, status, operationId: operation.id });
  return operation;
};

const begin = (kind: Kind) =>
  command<BeginInput, Operation>({
    name: `begin-${kind}`,
    ...onOrder,
    decide(input, work) {
      requireAllowed(work, { orderId: input.orderId, action: kind });
      return beginSettlementOn(work, { ...input, kind });
    },
  });

export const beginRelease = begin('release');
export const beginRefund = begin('refund');

/** The provider may report a payout that was not requested here: it is recorded as requested now, without the guards of a request. */
const requested = (work: UnitOfWork, { orderId, kind }: OrderInput & { readonly kind: Kind }): OrderView => {
  const view = viewOf(work, orderId);
  if (view.order.status !== 'IN_PROGRESS') return view;
  // A milestone that is disputed is paid only as its dispute is decided.
  requireNoDispute(work, view);
  const reason = 'The escrow provider reported it.';
  const status = recordRequest(work, { order: view.order, row: orderRow(view, kind), kind, reason });
  return { ...view, order: { ...view.order, status } };
};

/** The contract has paid, so the order is settled and closed. */
export const confirmRelease = (work: UnitOfWork, { orderId }: OrderInput): void => {
  const view = requested(work, { orderId, kind: 'release' });
  const paid = { seller: leftOf(view), buyer: ZERO };
  settleOrder(work, { view, on: 'release.confirmed', finalStatus: 'RELEASED', ...paid });
};

export const confirmRefund = (work: UnitOfWork, { orderId }: OrderInput): void => {
  const view = requested(work, { orderId, kind: 'refund' });
  const paid = { seller: ZERO, buyer: leftOf(view) };
  settleOrder(work, { view, on: 'refund.confirmed', finalStatus: 'REFUNDED', ...paid });
};

const confirm = (name: string, decide: (work: UnitOfWork, input: OrderInput) => void) =>
  command<OrderInput, void>({ name, ...onOrder, decide: (input, work) => decide(work, input) });

export const confirmReleaseCommand = confirm('confirm-release', confirmRelease);
export const confirmRefundCommand = confirm('confirm-refund', confirmRefund);

export type FailInput = { readonly orderId: string; readonly operationId: string; readonly reason: string };

/**
 * Undoes a release, a refund or a resolution that was certainly refused. A new request continues after the calls that are on the ledger
 * already.
 */
export const failSettlement = (
  kind: Kind | 'resolution' | 'release-milestone' | 'refund-milestone',
  action: AuditAction,
) =>
  command<FailInput, void>({
    name: `fail-${kind}`,
    ...onOrder,
    decide({ orderId, operationId, reason }, work) {
      const view = viewOf(work, orderId);
      requireHeld(view, operationId);
      const { status, buyerId } = view.order;
      // A dispute stays under review, and its order disputed. The payment of a milestone does not change the state of the order.
      const to = kind === 'release' || kind === 'refund' ? orderRow(view, `${kind}.failed`).to : status;
      endOperation(work, { operation: view.operation, failure: reason });
      retryDeadline(work, { orderId, deadlineId: view.operation?.ask.deadlineId, failure: reason });
      putOrder(work, { ...view.order, status: to, operationId: null });
      work.audit({
        action,
        resourceType: 'Order',
        resourceId: orderId,
        userId: buyerId,
        before: { status },
        after: { status: to, reason },
        result: 'FAILURE',
      });
    },
  });

export const failRelease = failSettlement('release', 'RELEASE_FAILED');
export const failRefund = failSettlement('refund', 'REFUND_FAILED');
export const failMilestoneRelease = failSettlement('release-milestone', 'MILESTONE_RELEASE_FAILED');
export const failMilestoneRefund = failSettlement('refund-milestone', 'MILESTONE_REFUND_FAILED');
