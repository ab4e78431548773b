// Ends the creation of an escrow: confirms it when the contract is deployed and known, or undoes it when the creation certainly failed.

import { DomainError } from '../../base/domain-error.ts';
import { formatAmount } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { endOperation, requireHeld } from '../operations/operation-work.ts';
import { liveEscrow, onOrder, orderRow, putOrder, viewOf } from '../orders/order-work.ts';
import { deployedContract, escrowRow, putEscrow } from './escrow.ts';

type ConfirmEscrowInput = { readonly orderId: string; readonly contractId: string };

/** The escrow is CREATED, and the order can be funded. */
export const confirmEscrow = (work: UnitOfWork, { orderId, contractId }: ConfirmEscrowInput): void => {
  const view = viewOf(work, orderId);
  const { to, emits } = orderRow(view, 'escrow.created');
  const known = liveEscrow(view);
  // Our own deployment decides, also over a contract that a webhook once named.
  const expected = deployedContract(known) ?? known.providerContractId;
  if (expected !== null && expected !== contractId) {
    throw new DomainError('INVALID_STATE', {
      message: 'The escrow has another contract.',
      details: { currentState: known.status, allowedActions: [] },
      status: 400,
    });
  }
  const created = escrowRow(known, 'escrow.created');
  const escrow = putEscrow(work, { ...known, status: created.to, providerContractId: contractId });
  endOperation(work, { operation: view.operation, failure: null });
  const { buyerId, currency, status } = view.order;
  putOrder(work, { ...view.order, status: to, operationId: null });
  const escrowId = escrow.id;
  const amount = formatAmount(escrow.amount);
  work.emit({
    type: created.emits[0],
    aggregateId: escrowId,
    userId: buyerId,
    payload: { escrowId, orderId, amount, currency },
  });
  work.emit({
    type: emits[0],
    aggregateId: orderId,
    userId: buyerId,
    payload: { orderId, escrowId, providerContractId: contractId, amount },
  });
  work.audit({
    action: 'ESCROW_CREATED',
    resourceType: 'Escrow',
    resourceId: escrowId,
    userId: buyerId,
    before: { orderStatus: status, status: known.status },
    after: { orderStatus: to, status: escrow.status, orderId, providerContractId: contractId },
  });
};

export const confirmEscrowCommand = command<ConfirmEscrowInput, void>({
  name: 'confirm-escrow',
  ...onOrder,
  decide: (input, work) => confirmEscrow(work, input),
});

type FailInput = { readonly orderId: string; readonly operationId: string; readonly reason: string };

/**
 * The order goes back to FUNDS_RESERVED with its money reserved. The escrow's row is set aside and kept for its contract, in case one
 * was deployed.
 */
export const failEscrow = command<FailInput, void>({
  name: 'fail-escrow',
  ...onOrder,
  decide({ orderId, operationId, reason }, work) {
    const view = viewOf(work, orderId);
    requireHeld(view, operationId);
    const { to } = orderRow(view, 'escrow.failed');
    const escrow = putEscrow(work, { ...liveEscrow(view), setAside: true });
    endOperation(work, { operation: view.operation, failure: reason });
    putOrder(work, { ...view.order, status: to, escrowId: null, operationId: null });
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
