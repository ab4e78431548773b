// The order's money is in its contract: it leaves the buyer's reserved balance for the order's escrow, and work can begin.

import { formatAmount } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { auditedBalance, balanceOf, move, reservedChange } from '../../commit/money.ts';
import { drawReservation, lockReservation } from '../balances/reservations.ts';
import { endOperation } from '../operations/operation-work.ts';
import type { OrderView } from '../orders/order-view.ts';
import { liveEscrow, onOrder, orderRow, putOrder, viewOf } from '../orders/order-work.ts';
import { escrowRow, putEscrow } from './escrow-work.ts';
import { requireReserve } from './start-funding.ts';

type ConfirmInput = { readonly orderId: string };

const takeReserved = (work: UnitOfWork, { order }: OrderView): void => {
  const { id: orderId, buyerId: userId, currency, amount } = order;
  const purse = { userId, currency };
  const before = balanceOf(work, purse);
  lockReservation(work, { ...purse, orderId, locked: false });
  drawReservation(work, 'fund_escrow', { ...purse, amount, orderId });
  move(work, 'fund_escrow', { ...purse, amount, orderId, reference: orderId });
  const after = balanceOf(work, purse);
  const reason = 'escrow_funded';
  work.emit(
    'balance.released',
    userId,
    { userId, amount: formatAmount(amount), currency, orderId, reason, ...reservedChange(before, after) },
    { userId },
  );
  work.audit({
    action: 'RESERVED_DEDUCTED',
    resourceType: 'Balance',
    resourceId: userId,
    before: auditedBalance(before),
    after: { ...auditedBalance(after), amount: formatAmount(amount), orderId, reason },
  });
};

export const confirmFunding = (work: UnitOfWork, { orderId }: ConfirmInput): void => {
  const view = viewOf(work, orderId);
  const { to } = orderRow(view, 'funding.confirmed');
  const known = liveEscrow(view);
  const funded = escrowRow(known, 'funding.confirmed');
  requireReserve(work, view);
  takeReserved(work, view);
  const escrow = putEscrow(work, known, { status: funded.to, fundedAt: work.now });
  endOperation(work, view, null);
  putOrder(work, view.order, { status: to, operationId: null });
  const [escrowId, metadata] = [escrow.id, { userId: view.order.buyerId }];
  const told = {
    ...{ escrowId, orderId, providerContractId: escrow.providerContractId ?? '' },
    ...{ amount: formatAmount(escrow.amount), fundedAt: work.now },
  };
  work.emit('escrow.funded', escrowId, told, metadata);
  work.emit('order.escrow_funded', orderId, told, metadata);
  work.emit('order.in_progress', orderId, { orderId, escrowId }, metadata);
  work.audit({
    action: 'ESCROW_FUNDED',
    resourceType: 'Escrow',
    resourceId: escrowId,
    userId: view.order.buyerId,
    before: { orderStatus: view.order.status, status: known.status },
    after: { orderStatus: to, status: escrow.status, orderId, amount: told.amount },
  });
};

export const confirmFundingCommand = command<ConfirmInput, void>({
  name: 'confirm-funding',
  ...onOrder,
  decide: (input, work) => confirmFunding(work, input),
});
