// The contract of an order's escrow is deployed and known: the escrow is CREATED and the order can be funded.

import { Fault } from '../../base/domain-error.ts';
import { formatAmount } from '../../books/money.ts';
import { command, type Desk } from '../../commit/command.ts';
import { endOperation } from '../operations/operation-work.ts';
import { escrowRow, liveEscrow, onOrder, orderRow, putEscrow, putOrder, viewOf } from '../orders/order-work.ts';

type ConfirmEscrowInput = { readonly orderId: string; readonly contractId: string };

export const confirmEscrow = (desk: Desk, { orderId, contractId }: ConfirmEscrowInput): void => {
  const view = viewOf(desk, orderId);
  const { to } = orderRow(view, 'escrow.created');
  const known = liveEscrow(view);
  if (known.providerContractId !== null && known.providerContractId !== contractId) {
    throw new Fault('INVALID_STATE', {
      message: 'The escrow has another contract.',
      details: { currentState: known.status, allowedActions: [] },
      status: 400,
    });
  }
  const escrow = putEscrow(desk, known, {
    status: escrowRow(known, 'escrow.created').to,
    providerContractId: contractId,
  });
  endOperation(desk, view, null);
  const { buyerId, currency, status } = view.order;
  putOrder(desk, view.order, { status: to, operationId: null });
  const [escrowId, amount, metadata] = [escrow.id, formatAmount(escrow.amount), { userId: buyerId }];
  desk.emit('escrow.created', escrowId, { escrowId, orderId, amount, currency }, metadata);
  desk.emit('order.escrow_funding', orderId, { orderId, escrowId, providerContractId: contractId, amount }, metadata);
  desk.audit({
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
  decide: (input, desk) => confirmEscrow(desk, input),
});
