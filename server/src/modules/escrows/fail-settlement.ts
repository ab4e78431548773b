// Undoes a release, a refund or a resolution that was certainly refused. The order is unchanged; a new request continues after the
// calls that are on the ledger already.

import type { AuditAction } from '@holdfast/contract/audit.ts';
import { command } from '../../commit/command.ts';
import { endOperation, requireHeld } from '../operations/operation-work.ts';
import { onOrder, orderRow, putOrder, viewOf } from '../orders/order-work.ts';

export type FailInput = { readonly orderId: string; readonly operationId: string; readonly reason: string };

export const failSettlement = (kind: 'release' | 'refund' | 'resolution', action: AuditAction) =>
  command<FailInput, void>({
    name: `fail-${kind}`,
    ...onOrder,
    decide({ orderId, operationId, reason }, work) {
      const view = viewOf(work, orderId);
      requireHeld(view, operationId);
      const { status, buyerId } = view.order;
      // A dispute stays under review, and its order disputed.
      const to = kind === 'resolution' ? status : orderRow(view, `${kind}.failed`).to;
      endOperation(work, { operation: view.operation, failure: reason });
      putOrder(work, view.order, { status: to, operationId: null });
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
