// Confirms the creation of an escrow: its contract is deployed and known, so the escrow is CREATED and the order can be funded.

import { DomainError } from '../../base/domain-error.ts';
import { formatAmount } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { endOperation } from '../operations/operation-work.ts';
import { liveEscrow, onOrder, orderRow, putOrder, viewOf } from '../orders/order-work.ts';
import { escrowRow, putEscrow } from './escrow-work.ts';

type ConfirmEscrowInput = { readonly orderId: string; readonly contractId: string };

export const confirmEscrow = (work: UnitOfWork, { orderId, contractId }: ConfirmEscrowInput): void => {
  const view = viewOf(work, orderId);
  const { to, emits } = orderRow(view, 'escrow.created');
  const known = liveEscrow(view);
  if (known.providerContractId !== null && known.providerContractId !== contractId) {
    throw new DomainError('INVALID_STATE', {
      message: 'The escrow has another contract.',
      details: { currentState: known.status, allowedActions: [] },
      status: 400,
    });
  }
  const created = escrowRow(known, 'escrow.created');
  const escrow = putEscrow(work, known, { status: created.to, providerContractId: contractId });
  endOperation(work, { operation: view.operation, failure: null });
  const { buyerId, currency, status } = view.order;
  putOrder(work, view.order, { status: to, operationId: null });
  const escrowId = escrow.id;
  const amount = formatAmount(escrow.amount);
  const metadata = { userId: buyerId };
  work.emit(created.emits[0], escrowId, { escrowId, orderId, amount, currency }, metadata);
  work.emit(emits[0], orderId, { orderId, escrowId, providerContractId: contractId, amount }, metadata);
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
