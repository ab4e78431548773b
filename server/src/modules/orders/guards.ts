// The guards of an order's machine: conditions of a requested transition besides the state. A row names its guards, and each guard
// refuses with its own error.

import { DomainError, type ErrorDetails, InternalRefusal } from '../../base/domain-error.ts';
import { formatAmount, negated, ZERO } from '../../books/money.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { reservationId } from '../balances/reservation.ts';
import type { Escrow } from '../escrows/escrow.ts';
import type { OrderGuard } from './machine.ts';
import type { OrderView } from './order.ts';
import { holdingOf, liveEscrow, underWay } from './order-work.ts';
import { isPaid } from './paid-milestones.ts';

/** Throws the refusal when the guard does not hold. */
type Guard = (work: UnitOfWork, view: OrderView) => void;

/** A guard that is about the order's state does not hold. The refusal of the request adds the actions that are possible instead. */
export class GuardRefusal extends InternalRefusal {
  readonly details: ErrorDetails;

  constructor(message: string, details: ErrorDetails) {
    super(message);
    this.details = details;
  }
}

const refuse = ({ message, details }: { message: string; details: ErrorDetails }): never => {
  throw new GuardRefusal(message, details);
};

/** Whether a contract that was set aside has paid back what an incomplete funding had brought, as the books have it. */
const isEmptied = (work: UnitOfWork, escrow: Escrow): boolean => {
  const holding = escrow.setAside ? holdingOf(escrow) : null;
  return holding !== null && negated(work.balance(holding)) <= ZERO;
};

/**
 * Whether money that was paid into a contract of the order is in it, or a call of one is open. An escrow is set aside only when no refused
 * funding of it can be included any more; if one was included before, the funding is among the calls, and its money in the holding.
 */
const mayHoldMoney = (work: UnitOfWork, orderId: string): boolean =>
  work
    .listBy('escrows', { by: 'order', value: orderId })
    .some(
      (escrow) =>
        escrow.transactionId !== null || (escrow.calls.some(({ call }) => call === 'fund') && !isEmptied(work, escrow)),
    );

/** A contract that was set aside is empty, unless its funding succeeded later or a part of it stays: then the money is in the contract. */
const requireEmptyContract: Guard = (work, { order, escrow }) => {
  if (!escrow && !mayHoldMoney(work, order.id)) return;
  refuse({
    message: 'The order has an escrow contract with money in it. Create the escrow again to continue.',
    details: {},
  });
};

const requireSeveralMilestones: Guard = (_work, view) => {
  if (view.milestones.length > 1) return;
  const message =
    'Only an order with two or more milestones pays them one by one. Settle the whole order: ' +
    `POST /orders/${view.order.id}/resolution/release, refund or dispute.`;
  refuse({ message, details: {} });
};

const requireNoOperation: Guard = (_work, view) => {
  if (!view.operation) return;
  const message = `The operation ${view.operation.kind} is running on the order. Check the order again in a few seconds.`;
  refuse({ message, details: {} });
};

/** The contract was created and never funded, and nothing that could fund it is under way. */
const requireNothingPaidIn: Guard = (work, view) => {
  const { order, escrow, operation } = view;
  if (escrow?.status === 'CREATED' && !operation && !mayHoldMoney(work, order.id)) return;
  refuse({
    message: 'The escrow is being funded, or money was paid into it.',
    details: { escrowStatus: escrow?.status ?? null },
  });
};

const requireNoEscrow: Guard = (_work, view) => {
  if (!view.escrow) return;
  throw new DomainError('ESCROW_ALREADY_EXISTS', { details: { escrowId: view.escrow.id, ...underWay(view) } });
};

const requireCreatedEscrow: Guard = (_work, view) => {
  const { escrow } = view;
  if (escrow?.status === 'CREATED' && escrow.providerContractId !== null) return;
  const next = view.operation
    ? 'An earlier request is still in progress: check the order again in a few seconds.'
    : 'Only an escrow that is CREATED can be funded.';
  throw new DomainError('INTERNAL_ERROR', {
    message: `The escrow is ${escrow?.status ?? 'missing'}. ${next}`,
    details: { currentState: escrow?.status ?? null, ...underWay(view) },
  });
};

/** Refuses when less than the order's amount is still reserved for it. */
export const requireReserve: Guard = (work, { order }) => {
  const { id, buyerId, currency, amount } = order;
  const reserved = work.find('reservations', reservationId({ userId: buyerId, currency }, id))?.remaining ?? ZERO;
  if (reserved >= amount) return;
  throw new DomainError('RESERVE_NOT_FOUND', {
    details: { requested: formatAmount(amount), reserved: formatAmount(reserved), currency, orderId: id },
  });
};

export const requireNoDispute: Guard = (work, { order }) => {
  const unresolved = work
    .listBy('disputes', { by: 'order', value: order.id })
    .find(({ status }) => status !== 'RESOLVED');
  if (unresolved) throw new DomainError('DISPUTE_ALREADY_OPEN', { details: { disputeId: unresolved.id } });
};

const requireCompletedMilestones: Guard = (_work, view) => {
  const open = view.milestones.filter((each) => each.status !== 'COMPLETED' && !isPaid(each)).map(({ ref }) => ref);
  if (open.length === 0) return;
  const message = `These milestones are not completed: ${open.join(', ')}.`;
  refuse({ message, details: { incompleteMilestones: open } });
};

const requireFundedEscrow: Guard = (_work, view) => {
  const { status } = liveEscrow(view);
  if (status === 'FUNDED') return;
  refuse({ message: `The escrow is ${status}, not FUNDED.`, details: { escrowStatus: status } });
};

export const ORDER_GUARDS: Readonly<Record<OrderGuard, Guard>> = {
  contract_empty: requireEmptyContract,
  several_milestones: requireSeveralMilestones,
  no_operation: requireNoOperation,
  nothing_paid_in: requireNothingPaidIn,
  no_escrow: requireNoEscrow,
  escrow_created: requireCreatedEscrow,
  amount_reserved: requireReserve,
  no_open_dispute: requireNoDispute,
  milestones_completed: requireCompletedMilestones,
  escrow_funded: requireFundedEscrow,
};
