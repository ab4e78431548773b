// The guards of an order's machine: conditions of a requested transition besides the state. A row names its guards, and each guard
// refuses with its own error.

import { DomainError, type ErrorDetails } from '../../base/domain-error.ts';
import { allowedActions, transition } from '../../base/machine.ts';
import { formatAmount, ZERO } from '../../books/money.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { reservationId } from '../balances/reservation.ts';
import { MILESTONE_MACHINE, ORDER_MACHINE, type OrderGuard, type OrderTrigger } from './machine.ts';
import type { OrderView } from './order.ts';
import { liveEscrow, orderRow, underWay } from './order-work.ts';
import { isPaid, milestoneOf } from './paid-milestones.ts';

/** Throws the refusal when the guard does not hold. */
type Guard = (work: UnitOfWork, view: OrderView) => void;

/** The order cannot do this in its state; the refusal shows its allowed actions. */
const refuse = (view: OrderView, { message, details }: { message: string; details: ErrorDetails }): never => {
  throw new DomainError('INVALID_STATE', {
    message,
    details: {
      currentState: view.order.status,
      allowedActions: allowedActions(ORDER_MACHINE, view.order.status),
      ...details,
      ...underWay(view),
    },
    status: 400,
  });
};

/** A contract that was set aside is empty, unless its funding succeeded later: then the money is in the contract. */
const requireEmptyContract: Guard = (work, { order, escrow }) => {
  const funded = work
    .listBy('escrows', { by: 'order', value: order.id })
    .some(({ transactionId, calls }) => transactionId !== null || calls.some(({ call }) => call === 'fund'));
  if (!escrow && !funded) return;
  throw new DomainError('INVALID_STATE', {
    message: 'The order has an escrow contract with money in it. Create the escrow again to continue.',
    details: { currentState: order.status, allowedActions: ['create_escrow'] },
    status: 400,
  });
};

const requireSeveralMilestones: Guard = (_work, view) => {
  if (view.milestones.length > 1) return;
  const message =
    'Only an order with two or more milestones pays them one by one. Settle the whole order: ' +
    `POST /orders/${view.order.id}/resolution/release, refund or dispute.`;
  refuse(view, { message, details: {} });
};

const requireNoOperation: Guard = (_work, view) => {
  if (!view.operation) return;
  const message = `The operation ${view.operation.kind} is running on the order. Check the order again in a few seconds.`;
  throw new DomainError('INVALID_STATE', {
    message,
    details: { currentState: view.order.status, allowedActions: [], ...underWay(view) },
    status: 400,
  });
};

/** The contract was created and never funded, and nothing that could fund it is under way. */
const requireNothingPaidIn: Guard = (work, view) => {
  const { order, escrow, operation } = view;
  const touched = work
    .listBy('escrows', { by: 'order', value: order.id })
    .some(({ transactionId, calls }) => transactionId !== null || calls.some(({ call }) => call === 'fund'));
  if (escrow?.status === 'CREATED' && !operation && !touched) return;
  refuse(view, {
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
  refuse(view, { message, details: { incompleteMilestones: open } });
};

const requireFundedEscrow: Guard = (_work, view) => {
  const { status } = liveEscrow(view);
  if (status === 'FUNDED') return;
  refuse(view, { message: `The escrow is ${status}, not FUNDED.`, details: { escrowStatus: status } });
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

/** The row of a requested transition. Refuses by the order's state, then by the guards of the row. */
export const requestedRow = <On extends OrderTrigger>(work: UnitOfWork, { view, on }: { view: OrderView; on: On }) => {
  const row = orderRow(view, on);
  const guards: readonly OrderGuard[] = 'guards' in row ? row.guards : [];
  for (const guard of guards) ORDER_GUARDS[guard](work, view);
  return row;
};

/** The order's own trigger. */
const REQUESTS = {
  'release.milestone': 'release_milestone',
  'refund.milestone': 'refund_milestone',
  'dispute.milestone': 'dispute_milestone',
} as const satisfies Record<string, OrderTrigger>;

type MilestoneRequest<On> = { readonly view: OrderView; readonly ref: string; readonly on: On };

/** A milestone that is to be paid or disputed on its own, and its row. Refuses by the order, then by the milestone. */
export const requestedMilestone = <On extends keyof typeof REQUESTS>(
  work: UnitOfWork,
  { view, ref, on }: MilestoneRequest<On>,
) => {
  // Named before the milestone: an order that is paid as a whole may have none.
  requireSeveralMilestones(work, view);
  const milestone = milestoneOf(view, ref);
  requestedRow(work, { view, on: REQUESTS[on] });
  const { status: from, disputeId } = milestone;
  const details = from === 'DISPUTED' && disputeId !== null ? { disputeId } : {};
  return { order: view.order, milestone, row: transition(MILESTONE_MACHINE, { from, on, details }) };
};
