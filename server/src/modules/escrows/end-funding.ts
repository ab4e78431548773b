// Ends the funding of an escrow: confirms it when the money is in the contract, or undoes it when nothing was paid in.

import { DomainError, InternalRefusal } from '../../base/domain-error.ts';
import { formatAmount, formatExact, negated, ZERO } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { auditedBalance, balanceOf, reservedChange } from '../../commit/money.ts';
import { drawReservation, lockReservation } from '../balances/reservation.ts';
import { endOperation, requireHeld } from '../operations/operation-work.ts';
import { requireReserve } from '../orders/guards.ts';
import type { Order } from '../orders/order.ts';
import { holdingOf, liveEscrow, onOrder, orderRow, putOrder, viewOf } from '../orders/order-work.ts';
import { type Escrow, escrowRow, fundingsOf, paidIn, putEscrow } from './escrow.ts';

type ConfirmInput = { readonly orderId: string };

type Funding = { readonly order: Order; readonly name: 'fund_escrow' };

const moveReserved = (work: UnitOfWork, { order, name }: Funding): void => {
  const { id: orderId, buyerId: userId, currency, amount } = order;
  const balance = { userId, currency };
  const before = balanceOf(work, balance);
  lockReservation(work, { ...balance, orderId, locked: false });
  drawReservation(work, { move: name, ...balance, amount, orderId });
  work.move(name, { ...balance, amount, orderId, reference: orderId });
  const after = balanceOf(work, balance);
  const reason = 'escrow_funded';
  work.emit({
    type: 'balance.released',
    aggregateId: userId,
    userId,
    payload: { userId, amount: formatAmount(amount), currency, orderId, reason, ...reservedChange(before, after) },
  });
  work.audit({
    action: 'RESERVED_DEDUCTED',
    resourceType: 'Balance',
    resourceId: userId,
    before: auditedBalance(before),
    after: { ...auditedBalance(after), amount: formatAmount(amount), orderId, reason },
  });
};

/** Our own funding has brought less than the amount into the contract: its operation pays the rest, or takes the part back. */
const requireWhole = (escrow: Escrow): void => {
  const paid = paidIn(escrow);
  if (fundingsOf(escrow).length === 0 || paid >= escrow.amount) return;
  throw new DomainError('INVALID_STATE', {
    message: `The escrow holds ${formatAmount(paid)} of ${formatAmount(escrow.amount)}.`,
    details: { currentState: escrow.status, allowedActions: [] },
    status: 400,
  });
};

/** The order's money is in its contract, so it moves from the buyer's reserved balance to the order's escrow. */
export const confirmFunding = (work: UnitOfWork, { orderId }: ConfirmInput): void => {
  const view = viewOf(work, orderId);
  const { to, moves, emits } = orderRow(view, 'funding.confirmed');
  const known = liveEscrow(view);
  const funded = escrowRow(known, 'funding.confirmed');
  requireWhole(known);
  requireReserve(work, view);
  moveReserved(work, { order: view.order, name: moves[0] });
  const escrow = putEscrow(work, { ...known, status: funded.to, fundedAt: work.now });
  endOperation(work, { operation: view.operation, failure: null });
  putOrder(work, { ...view.order, status: to, operationId: null });
  const escrowId = escrow.id;
  const userId = view.order.buyerId;
  const payload = {
    escrowId,
    orderId,
    providerContractId: escrow.providerContractId ?? '',
    amount: formatAmount(escrow.amount),
    fundedAt: work.now,
  };
  work.emit({ type: funded.emits[0], aggregateId: escrowId, userId, payload });
  work.emit({ type: emits[0], aggregateId: orderId, userId, payload });
  work.emit({ type: emits[1], aggregateId: orderId, userId, payload: { orderId, escrowId } });
  work.audit({
    action: 'ESCROW_FUNDED',
    resourceType: 'Escrow',
    resourceId: escrowId,
    userId,
    before: { orderStatus: view.order.status, status: known.status },
    after: { orderStatus: to, status: escrow.status, orderId, amount: payload.amount },
  });
};

export const confirmFundingCommand = command<ConfirmInput, void>({
  name: 'confirm-funding',
  ...onOrder,
  decide: (input, work) => confirmFunding(work, input),
});

type FailInput = { readonly orderId: string; readonly operationId: string; readonly reason: string };

/** A part of the funding is still in the contract, so the funding cannot be undone yet. */
export class MoneyInContract extends InternalRefusal {}

const requireEmpty = (work: UnitOfWork, escrow: Escrow): void => {
  const holding = fundingsOf(escrow).length === 0 ? null : holdingOf(escrow);
  const held = holding === null ? ZERO : negated(work.balance(holding));
  if (held > ZERO) throw new MoneyInContract(`${formatExact(held)} of the funding are still in the contract.`);
};

/**
 * The reservation is unlocked and the order goes back to FUNDS_RESERVED. The escrow is set aside. An operator may decide this while a part
 * of the funding is in the contract: the buyer's money is reserved as a whole, so the part is the operator's.
 */
export const endFunding = (work: UnitOfWork, { orderId, operationId, reason }: FailInput): void => {
  const view = viewOf(work, orderId);
  requireHeld(view, operationId);
  const { to } = orderRow(view, 'funding.failed');
  const known = liveEscrow(view);
  const escrow = putEscrow(work, { ...known, status: escrowRow(known, 'funding.failed').to, setAside: true });
  const { buyerId: userId, currency, status } = view.order;
  lockReservation(work, { userId, currency, orderId, locked: false });
  endOperation(work, { operation: view.operation, failure: reason });
  putOrder(work, { ...view.order, status: to, escrowId: null, operationId: null });
  work.audit({
    action: 'ESCROW_FUNDING_FAILED',
    resourceType: 'Order',
    resourceId: orderId,
    userId,
    before: { status },
    after: { status: to, escrowId: escrow.id, reason },
    result: 'FAILURE',
  });
};

/**
 * Nothing of the funding is in the contract, so it is undone. Creating the escrow again uses the same contract if that was never funded.
 */
export const failFunding = command<FailInput, void>({
  name: 'fail-funding',
  needs: onOrder.needs,
  needsNext({ orderId }, work) {
    const { rows, accounts } = onOrder.needsNext({ orderId }, work);
    const escrows = work.listBy('escrows', { by: 'order', value: orderId });
    return { rows, accounts: [...accounts, ...escrows.flatMap((escrow) => holdingOf(escrow) ?? [])] };
  },
  decide(input, work) {
    const view = viewOf(work, input.orderId);
    requireHeld(view, input.operationId);
    orderRow(view, 'funding.failed');
    requireEmpty(work, liveEscrow(view));
    endFunding(work, input);
  },
});

type LapseInput = {
  readonly orderId: string;
  /** Does nothing when the escrow has changed since then. */
  readonly before: string;
};

/** The funding was only reported and the provider does not show it: the reservation is unlocked and the escrow can be funded again. */
export const lapseFunding = command<LapseInput, { lapsed: boolean }>({
  name: 'lapse-funding',
  ...onOrder,
  decide({ orderId, before }, work) {
    const { order, escrow, operation } = viewOf(work, orderId);
    // A funding of our own ends with its operation, by the outcome on the ledger.
    if (escrow?.status !== 'FUNDING' || operation || escrow.transactionId !== null) return { lapsed: false };
    if (escrow.updatedAt >= before) return { lapsed: false };
    const { buyerId: userId, currency } = order;
    lockReservation(work, { userId, currency, orderId, locked: false });
    const lapsed = putEscrow(work, { ...escrow, status: escrowRow(escrow, 'funding.failed').to });
    work.audit({
      action: 'ESCROW_FUNDING_FAILED',
      resourceType: 'Escrow',
      resourceId: escrow.id,
      userId,
      before: { status: escrow.status },
      after: { status: lapsed.status, orderId, amount: formatAmount(escrow.amount), reason: 'nothing was paid in' },
      result: 'FAILURE',
    });
    return { lapsed: true };
  },
});
