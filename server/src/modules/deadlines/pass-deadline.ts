// Carries out a deadline: the row is DONE and its work begins in one commit, through the machines of orders and disputes. A refusal by
// one of their guards leaves the deadline PENDING, and it is tried again later.

import type { EventPayload } from '@holdfast/contract/events.ts';
import { transition } from '../../base/machine.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import type { Reaction } from '../../commit/reactions.ts';
import { COMPARISON_NEED } from '../../ledger/holds/begin-hold.ts';
import { assignDisputeOn } from '../disputes/assign-dispute.ts';
import { beginResolutionOn } from '../disputes/resolve-dispute.ts';
import { beginMilestoneOn } from '../escrows/pay-milestone.ts';
import { beginSettlementOn } from '../escrows/release-and-refund.ts';
import type { Operation } from '../operations/operation.ts';
import { cancelOrderOn } from '../orders/cancel-order.ts';
import type { OrderView } from '../orders/order.ts';
import { onOrder, orderNeeds, viewOf } from '../orders/order-work.ts';
import type { Deadline } from '../policies/deadline.ts';
import { followDeadlines, putDeadline } from '../policies/follow-deadlines.ts';
import { DEADLINE_MACHINE } from '../policies/machine.ts';
import type { PolicyRules } from '../policies/policy.ts';
import { type NamedDeadline, namedDeadline } from './change-deadline.ts';

declare module '../../commit/reactions.ts' {
  interface Reactions {
    'operation-begun': { readonly operationId: string };
  }
}

const REASON = 'A deadline of the policy has passed.';
const ASSIGNED_TO = 'deadlines';

type Passing = { readonly view: OrderView; readonly rules: PolicyRules; readonly deadline: Deadline };

type Done = {
  /** As the event shows it. */
  readonly action: 'CANCEL' | 'RELEASE' | 'REFUND' | 'REMIND';
  readonly operation?: Operation;
};

const release = (work: UnitOfWork, { order }: OrderView): Done => {
  const operation = beginSettlementOn(work, { orderId: order.id, kind: 'release', reason: REASON });
  return { action: 'RELEASE', operation };
};

/** A dispute without a reviewer is assigned to the deadline first, because only a dispute under review is resolved. */
const decideDispute = (work: UnitOfWork, { view: { order }, rules, deadline }: Passing): Done => {
  const action = rules.dispute?.then ?? 'REMIND';
  if (action === 'REMIND') return { action };
  const dispute = work.get('disputes', deadline.subject);
  const which = { disputeId: dispute.id, orderId: order.id };
  if (dispute.status === 'OPEN') assignDisputeOn(work, { ...which, assignedTo: ASSIGNED_TO });
  const decision = action === 'RELEASE' ? 'FULL_RELEASE' : 'FULL_REFUND';
  const shares = { sellerAmount: null, buyerAmount: null };
  const operation = beginResolutionOn(work, { ...which, ...shares, decision, note: REASON });
  return { action, operation };
};

/** The only milestone of an order is paid with the order. */
const endInspection = (work: UnitOfWork, { view, rules, deadline }: Passing): Done => {
  if (rules.milestoneInspection?.then !== 'RELEASE') return { action: 'REMIND' };
  if (view.milestones.length < 2) return release(work, view);
  const ref = deadline.subject;
  const operation = beginMilestoneOn(work, { orderId: view.order.id, ref, reason: REASON, kind: 'release' });
  return { action: 'RELEASE', operation };
};

type Work = (work: UnitOfWork, passing: Passing) => Done;

const WORK: Readonly<Record<Exclude<Deadline['kind'], 'reminder'>, Work>> = {
  cancel_unfunded(work, { view: { order } }) {
    cancelOrderOn(work, { orderId: order.id, reason: REASON, on: 'deadline.unfunded' });
    return { action: 'CANCEL' };
  },
  auto_release: (work, { view }) => release(work, view),
  dispute_decision: decideDispute,
  milestone_inspection: endInspection,
};

const remind = (
  work: UnitOfWork,
  { view: { order, deadlines }, deadline, type }: Passing & { readonly type: 'order.deadline_reminder' },
): void => {
  const of = deadlines.find(({ id }) => id === deadline.subject) ?? deadline;
  work.emit({
    type,
    aggregateId: order.id,
    userId: order.buyerId,
    payload: { orderId: order.id, kind: of.kind, at: of.at, ...refOf(deadline), remindedAt: work.now },
  });
  work.audit({
    action: 'DEADLINE_REMINDED',
    resourceType: 'Order',
    resourceId: order.id,
    userId: order.buyerId,
    after: { kind: of.kind, at: of.at, ...refOf(deadline) },
  });
};

const refOf = ({ milestoneRef }: Deadline) => (milestoneRef === null ? {} : { milestoneRef });

type ToPass = Passing & { readonly on: 'time.reached' | 'trigger'; readonly reason: string | null };

/** The row is DONE before its work: the work changes the order, and that cancels the deadlines that still stand. */
const pass = (work: UnitOfWork, { on, reason, ...passing }: ToPass): Done => {
  const { view, deadline } = passing;
  const { order } = view;
  const { to: status, emits } = transition(DEADLINE_MACHINE, { from: deadline.status, on });
  // The reason was that of the try before.
  putDeadline(work, { ...deadline, status, failure: null });
  if (deadline.kind === 'reminder') {
    remind(work, { ...passing, type: emits[1] });
    return { action: 'REMIND' };
  }
  const { kind, at } = deadline;
  const done = WORK[kind](work, passing);
  const { action, operation } = done;
  // A certain refusal leads back to the deadline.
  if (operation) work.put('operations', { ...operation, ask: { ...operation.ask, deadlineId: deadline.id } });
  // An event alone changes no order, and the reminders of this deadline have become pointless.
  if (action === 'REMIND') followDeadlines(work, order);
  const payload: EventPayload<'order.deadline_passed'> = {
    orderId: order.id,
    kind,
    at,
    action,
    ...refOf(deadline),
    passedAt: work.now,
  };
  work.emit({ type: emits[0], aggregateId: order.id, userId: order.buyerId, payload });
  work.audit({
    action: 'DEADLINE_PASSED',
    resourceType: 'Order',
    resourceId: order.id,
    userId: order.buyerId,
    before: { kind, at, ...refOf(deadline), status: deadline.status },
    after: { status, action, on, ...(reason === null ? {} : { reason }) },
  });
  return done;
};

/** The rules of an order that has a deadline, so it has a policy. */
const rulesOf = (work: UnitOfWork, { order }: OrderView): PolicyRules => work.get('policies', order.policyId!).rules;

/** The order, and the operation that its deadline has begun. */
export type Passed = {
  readonly view: OrderView;
  readonly operationId: string | null;
  /** Null: nothing was to be done. */
  readonly action: Done['action'] | null;
};

const started = ({ reply }: { readonly reply: Passed | null }): Reaction[] => {
  const operationId = reply?.operationId ?? null;
  return operationId === null ? [] : [{ name: 'operation-begun', payload: { operationId } }];
};

const needs = ({ orderId }: { orderId: string }) => ({ rows: [...orderNeeds(orderId).rows, COMPARISON_NEED] });

type PassInput = { readonly orderId: string; readonly deadlineId: string };

/** Changes nothing unless the deadline is PENDING and due: another process may have been first, or an operator has extended it. */
export const passDeadline = command<PassInput, Passed>({
  name: 'pass-deadline',
  needs,
  needsNext: onOrder.needsNext,
  decide({ orderId, deadlineId }, work) {
    const view = viewOf(work, orderId);
    const deadline = view.deadlines.find(({ id }) => id === deadlineId);
    if (deadline?.status !== 'PENDING' || deadline.at > work.deadlineNow)
      return { view, operationId: null, action: null };
    const { action, operation } = pass(work, {
      view,
      rules: rulesOf(work, view),
      deadline,
      on: 'time.reached',
      reason: null,
    });
    return { view, operationId: operation?.id ?? null, action };
  },
  reactions: started,
});

export const triggerDeadline = command<NamedDeadline, Passed>({
  name: 'trigger-deadline',
  needs,
  needsNext: onOrder.needsNext,
  decide(input, work) {
    const view = viewOf(work, input.orderId);
    const deadline = namedDeadline(view, input);
    const { reason } = input;
    const { action, operation } = pass(work, { view, rules: rulesOf(work, view), deadline, on: 'trigger', reason });
    return { view: viewOf(work, input.orderId), operationId: operation?.id ?? null, action };
  },
  reactions: started,
});
