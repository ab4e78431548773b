// Undoes the creation of an escrow that certainly failed: the order goes back to FUNDS_RESERVED with its money reserved. The escrow's
// row is set aside and kept for its contract, in case one was deployed.

import { command } from '../../commit/command.ts';
import { endOperation, requireHeld } from '../operations/operation-work.ts';
import { liveEscrow, onOrder, orderRow, putOrder, viewOf } from '../orders/order-work.ts';
import { putEscrow } from './escrow-work.ts';

type FailInput = { readonly orderId: string; readonly operationId: string; readonly reason: string };

export const failEscrow = command<FailInput, void>({
  name: 'fail-escrow',
  ...onOrder,
  decide({ orderId, operationId, reason }, work) {
    const view = viewOf(work, orderId);
    requireHeld(view, operationId);
    const { to } = orderRow(view, 'escrow.failed');
    const escrow = putEscrow(work, liveEscrow(view), { setAside: true });
    endOperation(work, { operation: view.operation, failure: reason });
    putOrder(work, view.order, { status: to, escrowId: null, operationId: null });
    work.audit({
      action: 'ESCROW_CREATE_FAILED',
      resourceType: 'Order',
      resourceId: orderId,
      userId: view.order.buyerId,
      before: { status: view.order.status },
      after: { status: to, escrowId: escrow.id, reason },
      result: 'FAILURE',
    });
  },
});
