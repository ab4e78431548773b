// The guards of an order's machine: conditions of a requested transition besides the state. A row names its guards, and each guard
// refuses with its own error.

import { DomainError, type ErrorDetails, InternalRefusal, isDomainError } from '../../base/domain-error.ts';
import { allowedActions, transition } from '../../base/machine.ts';
import { formatAmount, ZERO } from '../../books/money.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { reservationId } from '../balances/reservation.ts';
import { ORDER_MACHINE, type OrderGuard, type OrderTrigger } from './machine.ts';
import { MILESTONE_MACHINE } from './milestone-machine.ts';
import type { OrderView } from './order.ts';
import { liveEscrow, orderRow, underWay } from './order-work.ts';
import { isPaid, milestoneOf } from './paid-milestones.ts';

/** Throws the refusal when the guard does not hold. */
type Guard = (work: UnitOfWork, view: OrderView) => void;

/** A guard that is about the order's state does not hold. `check` adds the actions that are possible instead. */
class GuardRefusal extends InternalRefusal {
  readonly details: ErrorDetails;

  constructor(message: string, details: ErrorDetails) {
    super(message);
    this.details = details;
  }
}

const refuse = ({ message, details }: { message: string; details: ErrorDetails }): never => {
  throw new GuardRefusal(message, details);
};

/** Whether money was paid into a contract of the order, or a call of one is open. */
const mayHoldMoney = (work: UnitOfWork, orderId: string): boolean =>
  work
    .listBy('escrows', { by: 'order', value: orderId })
    .some(({ transactionId, calls }) => transactionId !== null || calls.some(({ call }) => call === 'fund'));

/** A contract that was set aside is empty, unless its funding succeeded later: then the money is in the contract. */
const requireEmptyContract: Guard = (work, { order, escrow }) => {
  if (!escrow && !mayHoldMoney(work, order.id)) return;
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
  refuse({ message, details: {} });
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

/** The actions about one milestone, with the trigger of the milestone. */
const MILESTONE_ACTIONS: Readonly<Partial<Record<OrderTrigger, string>>> = {
  complete_milestone: 'complete',
  release_milestone: 'release.milestone',
  refund_milestone: 'refund.milestone',
  dispute_milestone: 'dispute.milestone',
};

/** Whether an action about one milestone has a milestone to act on. */
const hasSubject = ({ milestones }: OrderView, action: OrderTrigger): boolean => {
  const on = MILESTONE_ACTIONS[action];
  if (on === undefined) return true;
  return milestones.some(({ status }) => MILESTONE_MACHINE.rows.some((row) => row.from === status && row.on === on));
};

const holds = (work: UnitOfWork, { view, guard }: { view: OrderView; guard: OrderGuard }): boolean => {
  try {
    ORDER_GUARDS[guard](work, view);
    return true;
  } catch (error) {
    if (error instanceof GuardRefusal || isDomainError(error)) return false;
    throw error;
  }
};

/** The actions that the order would accept now: those of its state whose guards hold. */
const actionsNow = (work: UnitOfWork, view: OrderView): OrderTrigger[] =>
  allowedActions(ORDER_MACHINE, view.order.status).filter((action) => {
    const row = orderRow(view, action);
    const guards: readonly OrderGuard[] = 'guards' in row ? row.guards : [];
    return hasSubject(view, action) && guards.every((guard) => holds(work, { view, guard }));
  });

/** Refuses when the guard does not hold. */
const check = (work: UnitOfWork, { view, guard }: { view: OrderView; guard: OrderGuard }): void => {
  try {
    ORDER_GUARDS[guard](work, view);
  } catch (error) {
    if (!(error instanceof GuardRefusal)) throw error;
    const { message, details } = error;
    const currentState = view.order.status;
    throw new DomainError('INVALID_STATE', {
      message,
      details: { currentState, allowedActions: actionsNow(work, view), ...details, ...underWay(view) },
      status: 400,
    });
  }
};

/** The row of a requested transition. Refuses by the order's state, then by the guards of the row. */
export const requestedRow = <On extends OrderTrigger>(work: UnitOfWork, { view, on }: { view: OrderView; on: On }) => {
  const row = transition(ORDER_MACHINE, {
    from: view.order.status,
    on,
    details: underWay(view),
    allowed: () => actionsNow(work, view),
  });
  const guards: readonly OrderGuard[] = 'guards' in row ? row.guards : [];
  for (const guard of guards) check(work, { view, guard });
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
  check(work, { view, guard: 'several_milestones' });
  const milestone = milestoneOf(view, ref);
  requestedRow(work, { view, on: REQUESTS[on] });
  const { status: from, disputeId } = milestone;
  const details = from === 'DISPUTED' && disputeId !== null ? { disputeId } : {};
  return { order: view.order, milestone, row: transition(MILESTONE_MACHINE, { from, on, details }) };
};
