// Undoes a funding that certainly did not happen: the reservation is unlocked and the order goes back to FUNDS_RESERVED. The escrow is
// set aside, so that creating it again uses the same empty contract.

import { command } from '../../commit/command.ts';
import { lockReservation } from '../balances/reservation.ts';
import { endOperation, requireHeld } from '../operations/operation-work.ts';
import { liveEscrow, onOrder, orderRow, putOrder, viewOf } from '../orders/order-work.ts';
import { isCalled } from './escrow.ts';
import { escrowRow, putEscrow } from './escrow-work.ts';

type FailInput = { readonly orderId: string; readonly operationId: string; readonly reason: string };

export const failFunding = command<FailInput, void>({
  name: 'fail-funding',
  ...onOrder,
  decide({ orderId, operationId, reason }, work) {
    const view = viewOf(work, orderId);
    requireHeld(view, operationId);
    const { to } = orderRow(view, 'funding.failed');
    const known = liveEscrow(view);
    if (isCalled(known, { call: 'fund', milestone: null })) throw new Error('the funding is on the ledger');
    const escrow = putEscrow(work, known, { status: escrowRow(known, 'funding.failed').to, setAside: true });
    const { buyerId: userId, currency, status } = view.order;
    lockReservation(work, { userId, currency, orderId, locked: false });
    endOperation(work, { operation: view.operation, failure: reason });
    putOrder(work, view.order, { status: to, escrowId: null, operationId: null });
    work.audit({
      action: 'ESCROW_FUNDING_FAILED',
      resourceType: 'Order',
      resourceId: orderId,
      userId,
      before: { status },
      after: { status: to, escrowId: escrow.id, reason },
      result: 'FAILURE',
    });
  },
});
