// Confirms the funding: the order's money is in its contract, so it moves from the buyer's reserved balance to the order's escrow.

import { formatAmount } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { auditedBalance, balanceOf, move, reservedChange } from '../../commit/money.ts';
import { drawReservation, lockReservation } from '../balances/reservation.ts';
import { endOperation } from '../operations/operation-work.ts';
import { requireReserve } from '../orders/guards.ts';
import type { OrderView } from '../orders/order-view.ts';
import { liveEscrow, onOrder, orderRow, putOrder, viewOf } from '../orders/order-work.ts';
import { escrowRow, putEscrow } from './escrow-work.ts';

type ConfirmInput = { readonly orderId: string };

const moveReserved = (work: UnitOfWork, { order }: OrderView, name: 'fund_escrow'): void => {
  const { id: orderId, buyerId: userId, currency, amount } = order;
  const balance = { userId, currency };
  const before = balanceOf(work, balance);
  lockReservation(work, { ...balance, orderId, locked: false });
  drawReservation(work, { move: name, ...balance, amount, orderId });
  move(work, name, { ...balance, amount, orderId, reference: orderId });
  const after = balanceOf(work, balance);
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
  const { to, moves, emits } = orderRow(view, 'funding.confirmed');
  const known = liveEscrow(view);
  const funded = escrowRow(known, 'funding.confirmed');
  requireReserve(work, view);
  moveReserved(work, view, moves[0]);
  const escrow = putEscrow(work, known, { status: funded.to, fundedAt: work.now });
  endOperation(work, { operation: view.operation, failure: null });
  putOrder(work, view.order, { status: to, operationId: null });
  const escrowId = escrow.id;
  const metadata = { userId: view.order.buyerId };
  const payload = {
    escrowId,
    orderId,
    providerContractId: escrow.providerContractId ?? '',
    amount: formatAmount(escrow.amount),
    fundedAt: work.now,
  };
  work.emit(funded.emits[0], escrowId, payload, metadata);
  work.emit(emits[0], orderId, payload, metadata);
  work.emit(emits[1], orderId, { orderId, escrowId }, metadata);
  work.audit({
    action: 'ESCROW_FUNDED',
    resourceType: 'Escrow',
    resourceId: escrowId,
    userId: view.order.buyerId,
    before: { orderStatus: view.order.status, status: known.status },
    after: { orderStatus: to, status: escrow.status, orderId, amount: payload.amount },
  });
};

export const confirmFundingCommand = command<ConfirmInput, void>({
  name: 'confirm-funding',
  ...onOrder,
  decide: (input, work) => confirmFunding(work, input),
});
