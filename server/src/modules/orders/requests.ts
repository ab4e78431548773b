// A requested transition of an order or of one of its milestones: its row, or a refusal that names the actions that would be accepted
// now. An action is accepted when the state has a row for it, the guards of the row hold, and the order's policy gives it to the caller.

import type { POLICY_ACTIONS } from '@holdfast/contract/states.ts';
import { DomainError, isDomainError } from '../../base/domain-error.ts';
import { allowedActions, transition } from '../../base/machine.ts';
import { sumOf } from '../../books/money.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { balanceOf } from '../../commit/money.ts';
import { GuardRefusal, ORDER_GUARDS } from './guards.ts';
import { ORDER_MACHINE, type OrderGuard, type OrderTrigger } from './machine.ts';
import { MILESTONE_MACHINE } from './milestone-machine.ts';
import type { Milestone, OrderView } from './order.ts';
import { orderRow, underWay } from './order-work.ts';
import { milestoneOf } from './paid-milestones.ts';
import { requireAllowed } from './permissions.ts';

/** The order's trigger of each action about one milestone, with the milestone's trigger and the name of the action. */
const MILESTONE_ACTIONS = [
  { request: 'complete_milestone', on: 'complete', name: 'complete' },
  { request: 'release_milestone', on: 'release.milestone', name: 'release' },
  { request: 'refund_milestone', on: 'refund.milestone', name: 'refund' },
  { request: 'dispute_milestone', on: 'dispute.milestone', name: 'dispute' },
] as const satisfies readonly { request: OrderTrigger; on: string; name: string }[];

type MilestoneTrigger = (typeof MILESTONE_ACTIONS)[number]['on'];

const milestoneAccepts = ({ status }: Milestone, on: MilestoneTrigger): boolean =>
  MILESTONE_MACHINE.rows.some((row) => row.from === status && row.on === on);

/** Whether an action about one milestone has a milestone to act on. */
const hasSubject = ({ milestones }: OrderView, action: OrderTrigger): boolean => {
  const own = MILESTONE_ACTIONS.find(({ request }) => request === action);
  return own === undefined || milestones.some((each) => milestoneAccepts(each, own.on));
};

/** Whether the check passes. An error that is not a refusal is thrown. */
const passes = (check: () => void): boolean => {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof GuardRefusal || isDomainError(error)) return false;
    throw error;
  }
};

/** The action of a policy that gives a trigger to callers; a trigger without one is open to every caller. */
const POLICY_ACTION: Readonly<Partial<Record<OrderTrigger, (typeof POLICY_ACTIONS)[number]>>> = {
  cancel: 'cancel',
  complete_milestone: 'complete_milestone',
  release: 'release',
  release_milestone: 'release',
  refund: 'refund',
  refund_milestone: 'refund',
  dispute: 'dispute',
  dispute_milestone: 'dispute',
};

/** A dispute is opened for the buyer or for the seller, and one of the two is enough. */
const isPermitted = (work: UnitOfWork, { orderId, on }: { orderId: string; on: OrderTrigger }): boolean => {
  const action = POLICY_ACTION[on];
  if (action === undefined) return true;
  if (action !== 'dispute') return passes(() => requireAllowed(work, { orderId, action }));
  return (['BUYER', 'SELLER'] as const).some((openedBy) =>
    passes(() => requireAllowed(work, { orderId, action, openedBy })),
  );
};

/** What the command of an action checks besides the guards. */
const FURTHER: Readonly<Partial<Record<OrderTrigger, (work: UnitOfWork, view: OrderView) => boolean>>> = {
  reserve: (work, { order: { buyerId: userId, currency, amount } }) =>
    balanceOf(work, { userId, currency }).available >= amount,
  create_escrow: (work, { order, milestones }) =>
    [order.buyerId, order.sellerId].every((id) => work.get('users', id).status === 'ACTIVE') &&
    (milestones.length === 0 || sumOf(milestones.map(({ amount }) => amount)) === order.amount),
};

/** The actions that the order would accept from this caller now. */
const actionsNow = (work: UnitOfWork, view: OrderView): OrderTrigger[] =>
  allowedActions(ORDER_MACHINE, view.order.status).filter((on) => {
    const row = orderRow(view, on);
    const guards: readonly OrderGuard[] = 'guards' in row ? row.guards : [];
    return (
      hasSubject(view, on) &&
      guards.every((guard) => passes(() => ORDER_GUARDS[guard](work, view))) &&
      (FURTHER[on]?.(work, view) ?? true) &&
      isPermitted(work, { orderId: view.order.id, on })
    );
  });

/** The actions that one milestone would accept from this caller now. */
const milestoneActionsNow = (
  work: UnitOfWork,
  { view, milestone }: { view: OrderView; milestone: Milestone },
): string[] => {
  const requests = actionsNow(work, view);
  return MILESTONE_ACTIONS.filter(
    ({ request, on }) => requests.includes(request) && milestoneAccepts(milestone, on),
  ).map(({ name }) => name);
};

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

type MilestoneRequest<On> = { readonly view: OrderView; readonly ref: string; readonly on: On };

/** The row of a milestone's own transition. Refuses by the milestone's state. */
export const milestoneRow = <On extends MilestoneTrigger>(
  work: UnitOfWork,
  { view, milestone, on }: { readonly view: OrderView; readonly milestone: Milestone; readonly on: On },
) => {
  const { status: from, disputeId } = milestone;
  const details = from === 'DISPUTED' && disputeId !== null ? { disputeId } : {};
  return transition(MILESTONE_MACHINE, {
    from,
    on,
    details,
    allowed: () => milestoneActionsNow(work, { view, milestone }),
  });
};

/** The order's own trigger. */
const REQUESTS = {
  'release.milestone': 'release_milestone',
  'refund.milestone': 'refund_milestone',
  'dispute.milestone': 'dispute_milestone',
} as const satisfies Record<string, OrderTrigger>;

/** A milestone that is to be paid or disputed on its own, and its row. Refuses by the order, then by the milestone. */
export const requestedMilestone = <On extends keyof typeof REQUESTS>(
  work: UnitOfWork,
  { view, ref, on }: MilestoneRequest<On>,
) => {
  // Named before the milestone: an order that is paid as a whole may have none.
  check(work, { view, guard: 'several_milestones' });
  const milestone = milestoneOf(view, ref);
  requestedRow(work, { view, on: REQUESTS[on] });
  return { order: view.order, milestone, row: milestoneRow(work, { view, milestone, on }) };
};
