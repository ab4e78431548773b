// A release, a refund or a resolution was certainly refused: the order is where it was, and asking again goes on behind the
// calls that are on the ledger already.

import type { AuditAction } from '@holdfast/contract/audit.ts';
import { command } from '../../commit/command.ts';
import { endOperation, requireOwn } from '../operations/operation-work.ts';
import { onOrder, orderRow, putOrder, viewOf } from '../orders/order-work.ts';

type FailInput = { readonly orderId: string; readonly operationId: string; readonly reason: string };

const fail = (kind: 'release' | 'refund' | 'resolution', action: AuditAction) =>
  command<FailInput, void>({
    name: `fail-${kind}`,
    ...onOrder,
    decide({ orderId, operationId, reason }, work) {
      const view = viewOf(work, orderId);
      requireOwn(view, operationId);
      const { status, buyerId } = view.order;
      // A dispute stays under review, and its order disputed.
      const to = kind === 'resolution' ? status : orderRow(view, `${kind}.failed`).to;
      endOperation(work, view, reason);
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

export const failRelease = fail('release', 'RELEASE_FAILED');

export const failRefund = fail('refund', 'REFUND_FAILED');

export const failResolution = fail('resolution', 'DISPUTE_RESOLUTION_FAILED');
